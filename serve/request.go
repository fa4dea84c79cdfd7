package serve

import (
	"context"
	"crypto/rand"
	"log/slog"
	"math"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// request is what is logged and counted of a request, and what it uses until its end.
type request struct {
	protocol string // http or grpc
	call     string // pattern of the path, or method
	id       string // by which client and log name the request
	trace    string // of the client, "" for none
	client   string // address
	model    string // "" for none
	asks     bool   // for predictions
	reading  bool   // of the body has begun
	status   int    // of HTTP
	class    string // of its error, "" for none
	rows     int
	start    time.Time
	err      error // of its handler
	inside   error // what a client is not told

	uses []*model
	held account

	begin func() bool // of a call of gRPC: takes the request's end over from the call's stream
}

// idHeader is the header with the id of a request, which an answer repeats.
const idHeader = "X-Request-Id"

// plainID is an id of a client that may stand in a log.
var plainID = regexp.MustCompile(`^[A-Za-z0-9._:/+=-]{1,128}$`)

// traceParent is a traceparent header of W3C's Trace Context; its first group is the id of the
// trace.
var traceParent = regexp.MustCompile(`^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$`)

// newRequest begins a request of a client, with its headers. Its id is that of the client, if it is
// plain, else a new one.
func (s *Server) newRequest(protocol, client string, header func(name string) string) *request {
	of := &request{protocol: protocol, call: "other", start: time.Now(), client: client,
		id: header(idHeader), held: account{server: s}}
	if !plainID.MatchString(of.id) {
		of.id = rand.Text()
	}
	if match := traceParent.FindStringSubmatch(header("Traceparent")); match != nil {
		of.trace = match[1]
	}
	return of
}

// fail notes the error of a request and returns the fault for its client.
func (of *request) fail(err error) *fault {
	f := told(err)
	of.status, of.class = f.Status, f.Class
	if f.Status == http.StatusInternalServerError {
		of.inside = err
	}
	return f
}

// requestKey is the key of the *request of a context.
type requestKey struct{}

// requestOf is the request of a context that has one.
func requestOf(ctx context.Context) *request {
	of, _ := ctx.Value(requestKey{}).(*request)
	return of
}

// end frees what a request holds, logs it, but for questions about health, and counts it.
func (s *Server) end(ctx context.Context, of *request) {
	of.held.free()
	s.release(of)
	if !strings.Contains(of.call, "/health/") || of.inside != nil {
		s.record(ctx, of)
	}
}

// record logs a request: no part of it but its path, which has names of models only, and its ids.
func (s *Server) record(ctx context.Context, of *request) {
	level := slog.LevelInfo
	if of.status >= http.StatusInternalServerError {
		level = slog.LevelError
	}
	attributes := []slog.Attr{slog.String("protocol", of.protocol), slog.String("call", of.call),
		slog.Int("status", of.status), seconds("seconds", time.Since(of.start)),
		slog.String("client", of.client), slog.String("id", of.id)}
	for _, a := range []slog.Attr{slog.String("trace", of.trace), slog.String("model", of.model),
		slog.String("class", of.class)} {
		if a.Value.String() != "" {
			attributes = append(attributes, a)
		}
	}
	if of.rows > 0 {
		attributes = append(attributes, slog.Int("rows", of.rows))
	}
	if of.inside != nil {
		attributes = append(attributes, slog.String("error", of.inside.Error()))
	}
	s.log.LogAttrs(ctx, level, "request", attributes...)
	s.metrics.request(of)
}

// seconds is a time as logs have it: in seconds, to the microsecond.
func seconds(name string, d time.Duration) slog.Attr {
	return slog.Float64(name, math.Round(d.Seconds()*1e6)/1e6)
}
