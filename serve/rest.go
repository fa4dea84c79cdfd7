package serve

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/pfnamp/pfnamp/internal/panics"
)

// handler answers a request, or says why not. What it returns is counted and logged.
type handler func(w http.ResponseWriter, r *http.Request, of *request) error

// ofModel answers about the model that the path names.
func (s *Server) ofModel(
	call func(w http.ResponseWriter, r *http.Request, of *request, m *model) error,
) handler {
	return func(w http.ResponseWriter, r *http.Request, of *request) error {
		m, err := s.model(r.PathValue("model"), r.PathValue("v"), of)
		if err != nil {
			return err
		}
		return call(w, r, of, m)
	}
}

// routes are the calls by method and path. The file openapi.json describes them.
func (s *Server) routes() map[string]handler {
	return map[string]handler{
		"GET /v2":                                     s.about,
		"GET /v2/health/live":                         s.live,
		"GET /v2/health/ready":                        s.isReady,
		"GET /v2/models":                              s.list,
		"GET /v2/models/{model}":                      s.ofModel(s.metadata),
		"GET /v2/models/{model}/ready":                s.ofModel(s.modelReady),
		"GET /v2/models/{model}/columns":              s.ofModel(s.columns),
		"POST /v2/models/{model}/infer":               s.ofModel(s.infer),
		"POST /v2/models/{model}/table":               s.ofModel(s.table),
		"GET /v2/models/{model}/versions/{v}":         s.ofModel(s.metadata),
		"GET /v2/models/{model}/versions/{v}/ready":   s.ofModel(s.modelReady),
		"GET /v2/models/{model}/versions/{v}/columns": s.ofModel(s.columns),
		"POST /v2/models/{model}/versions/{v}/infer":  s.ofModel(s.infer),
		"POST /v2/models/{model}/versions/{v}/table":  s.ofModel(s.table),
		"GET /openapi.json":                           s.openAPI,
		"GET /metrics":                                s.metrics.serve,
		"GET /{$}":                                    s.page,
		"GET /page/{file}":                            s.page,
	}
}

// Handler returns the HTTP handler of the server, for tests and for servers of your own.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	for pattern, call := range s.routes() {
		mux.HandleFunc(pattern, s.route(pattern, call))
	}
	mux.HandleFunc("/",
		s.route("other", func(w http.ResponseWriter, r *http.Request, _ *request) error {
			return unknown(mux, w, r)
		}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.meet(w, r, mux) })
}

// meet answers one request: who may not ask is refused, errors are JSON, everything is counted and
// logged.
func (s *Server) meet(w http.ResponseWriter, r *http.Request, mux *http.ServeMux) {
	sent := &answerWriter{ResponseWriter: w, limit: s.limits.Transit}
	defer sent.patient()
	of := s.newRequest("http", r.RemoteAddr, r.Header.Get)
	sent.Header().Set(idHeader, of.id)
	err := panics.Job(func() error {
		if err := s.guard(sent, r); err != nil {
			if _, pattern := mux.Handler(r); pattern != "/" {
				of.call = pattern
			}
			return err
		}
		if s.preflight(sent, r) {
			return nil
		}
		mux.ServeHTTP(sent, r.WithContext(context.WithValue(r.Context(), requestKey{}, of)))
		return of.err
	})()
	of.status = sent.status
	if err != nil {
		s.tell(sent, r, of, of.fail(err))
	}
	s.end(r.Context(), of)
	if err != nil && of.status != sent.status {
		panic(http.ErrAbortHandler) // what was sent is cut: the client must not take it for whole
	}
	if err != nil {
		s.linger(sent, r, of)
	}
}

// route calls a handler, within the limit of requests. Who asks about health must not take the
// server for dead.
func (s *Server) route(pattern string, call handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		of := requestOf(r.Context())
		of.call = pattern
		if !strings.Contains(pattern, "/health/") {
			leave, err := s.enter()
			if err != nil {
				of.err = err
				return
			}
			defer leave()
		}
		of.err = call(w, r, of)
	}
}

// tell sends an error, where nothing was sent and somebody waits. Full duplex keeps net/http from
// reading the rest of the body first, and from closing the connection if that is long.
func (s *Server) tell(w *answerWriter, r *http.Request, of *request, f *fault) {
	if w.status != 0 || f.Status == statusGone {
		return
	}
	http.NewResponseController(w).EnableFullDuplex() // HTTP/2 has it by itself
	if r.ProtoMajor == 1 && silent(r, of) {
		w.Header().Set("Connection", "close")
	}
	if f.Status == http.StatusTooManyRequests || f.Status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	writeJSON(w, f.Status, map[string]string{"error": f.Msg})
	w.FlushError()
}

// unknown answers where there is nothing.
func unknown(mux *http.ServeMux, w http.ResponseWriter, r *http.Request) error {
	var methods []string
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := mux.Handler(other); pattern != "/" {
			methods = append(methods, method)
		}
	}
	if methods != nil && !slices.Contains(methods, r.Method) {
		allowed := strings.Join(methods, ", ")
		w.Header().Set("Allow", allowed)
		return faultf(http.StatusMethodNotAllowed, "%s %s is not supported: use %s", r.Method,
			r.URL.Path, allowed)
	}
	return faultf(http.StatusNotFound, "%s %s does not exist: GET /openapi.json lists all calls",
		r.Method, r.URL.Path)
}

// writeJSON sends a value, whose type has JSON.
func writeJSON(w http.ResponseWriter, status int, value any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body))) // whole, whatever is still sent
	w.WriteHeader(status)
	w.Write(body) // a client that is gone needs no answer
	return nil
}

// linger reads, for a short time, what a client still sends after it was told about an error,
// however much. To close the connection before that would let the system throw the error away with
// what comes, and the client would only learn that its connection broke.
func (s *Server) linger(w *answerWriter, r *http.Request, of *request) {
	if r.ProtoMajor != 1 || silent(r, of) {
		return
	}
	within(w, s.limits.Header)
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		panic(http.ErrAbortHandler) // what follows on the connection is no request
	}
}

// silent reports whether the rest of a body will not come: its client is slow, or waits to be told
// to send it.
func silent(r *http.Request, of *request) bool {
	return of.class == classSlow ||
		!of.reading && strings.EqualFold(r.Header.Get("Expect"), "100-continue")
}
