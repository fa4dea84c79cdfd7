package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/pfnamp/pfnamp"
)

// Options say how a server meets its clients.
type Options struct {
	Limits  Limits
	Version string // of the program, which metadata tell
	// Tokens are those of which a client must send one, as "Authorization: Bearer TOKEN", for all
	// but the health of the server; none are needed where there are none.
	Tokens []string
	// Hosts are the names by which the server may be called, without port; others are refused. nil
	// allows any. It keeps pages of other sites, whose name has been pointed at this machine, from
	// a server without tokens.
	Hosts []string
	Fit   *Fitting     // nil lets nobody fit
	Log   *slog.Logger // nil logs nothing
}

// Server answers for its models. It is safe for concurrent use.
type Server struct {
	options Options
	limits  Limits
	log     *slog.Logger
	models  []*model // by name
	metrics *metrics
	hosted  *hosted // nil without Options.Fit
	ready   atomic.Bool
	held    atomic.Int64 // bytes of bodies
	running chan struct{}
}

// New makes a server and starts to work for its models. Names must differ. The caller closes it.
func New(models []Model, opt Options) (*Server, error) {
	s := &Server{options: opt, limits: opt.Limits.withDefaults(), log: opt.Log}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.running = make(chan struct{}, s.limits.Requests)
	for _, m := range models {
		served, err := newModel(m, s.limits)
		if err != nil {
			return nil, err
		}
		if _, err := s.model(m.Name, ""); err == nil {
			return nil, fmt.Errorf("serve: two models have the name %q", m.Name)
		}
		s.models = append(s.models, served)
	}
	if opt.Fit != nil {
		s.hosted = newHosted(*opt.Fit, s.limits)
	}
	if len(s.models) == 0 && opt.Fit == nil {
		return nil, errors.New("serve: there is no model")
	}
	slices.SortFunc(s.models, func(a, b *model) int { return cmp.Compare(a.Name, b.Name) })
	s.metrics = newMetrics(s)
	for _, m := range s.models {
		m.batcher = pfnamp.NewBatcher(m.Predictor, s.limits.batcher(s.metrics.runs(m.Name)))
	}
	s.ready.Store(true)
	return s, nil
}

// model finds a model by its name and, where it is not "", its version.
func (s *Server) model(name, version string) (*model, error) {
	at := slices.IndexFunc(s.models, func(m *model) bool { return m.Name == name })
	if at < 0 {
		return nil, faultf(http.StatusNotFound, "there is no model %q: GET /v2/models lists them", name)
	}
	m := s.models[at]
	if version != "" && version != m.Version {
		return nil, faultf(http.StatusNotFound, "model %s has no version %q: it has %s", name, version,
			m.Version)
	}
	return m, nil
}

// enter admits a request, as long as there are not too many; leave ends it.
func (s *Server) enter() (leave func(), err error) {
	select {
	case s.running <- struct{}{}:
		return func() { <-s.running }, nil
	default:
		return nil, faultf(http.StatusTooManyRequests,
			"too many requests at the same time: try again later")
	}
}

// Ready reports whether the server takes requests: from New until it stops.
func (s *Server) Ready() bool { return s.ready.Load() }

// Close answers what waits, and ends the work of all models. It is called when no request comes any
// more; a second call does nothing.
func (s *Server) Close() {
	s.ready.Store(false)
	for _, m := range s.models {
		m.batcher.Close()
	}
	if s.hosted != nil {
		s.hosted.cache.close()
	}
}

// record logs a request: no part of it but its path, which has names of models only.
func (s *Server) record(ctx context.Context, r request) {
	level := slog.LevelInfo
	if r.status >= http.StatusInternalServerError {
		level = slog.LevelError
	}
	attributes := []slog.Attr{slog.String("protocol", r.protocol), slog.String("call", r.call),
		slog.Int("status", r.status), slog.Duration("took", time.Since(r.start))}
	if r.model != "" {
		attributes = append(attributes, slog.String("model", r.model))
	}
	if r.rows > 0 {
		attributes = append(attributes, slog.Int("rows", r.rows))
	}
	if r.inside != nil {
		attributes = append(attributes, slog.String("error", r.inside.Error()))
	}
	s.log.LogAttrs(ctx, level, "request", attributes...)
	s.metrics.request(r)
}

// request is what is logged and counted of a request.
type request struct {
	protocol string // http or grpc
	call     string // pattern of the path, or method
	model    string // "" for none
	status   int    // of HTTP
	rows     int
	start    time.Time
	inside   error // what a client is not told
}
