package serve

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// Options are options of [New].
type Options struct {
	Limits  Limits
	Version string // version of the program, for metadata
	// Tokens, if any, are required: a client sends one as "Authorization: Bearer TOKEN". Health checks
	// and the page need no token.
	Tokens []string
	// Hosts are the allowed host names without port; nil allows any. They protect a server without
	// tokens from DNS rebinding: a page of another site whose name resolves to this machine.
	Hosts []string
	// Origins are the sites whose pages may send requests (CORS), such as https://example.org.
	Origins []string
	// CheckRows is the number of answered rows per window that is compared with the training table of
	// the model, for metrics. 0 compares nothing; the smallest window has 20 rows.
	CheckRows int
	Log       *slog.Logger // nil logs nothing
}

// Server answers for its models. It is safe for concurrent use.
type Server struct {
	options Options
	limits  Limits
	log     *slog.Logger
	sites   *http.CrossOriginProtection
	metrics *metrics
	ready   atomic.Bool
	held    atomic.Int64 // bytes of all accounts
	running chan struct{}
	tokens  atomic.Pointer[[]tokenSum]

	mu       sync.Mutex
	roster   []*model // by name; of one name the oldest version first
	closed   bool
	retiring errgroup.Group
}

// New makes a server and starts the queues of its models, which must differ in name or version. The
// caller closes the server.
func New(models []Model, opt Options) (*Server, error) {
	s := &Server{options: opt, limits: opt.Limits.withDefaults(), log: opt.Log,
		sites: http.NewCrossOriginProtection()}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	for _, origin := range opt.Origins {
		if err := s.sites.AddTrustedOrigin(origin); err != nil {
			return nil, err
		}
	}
	s.running = make(chan struct{}, s.limits.Requests)
	s.SetTokens(opt.Tokens)
	if len(models) == 0 {
		return nil, errors.New("serve: there is no model")
	}
	s.metrics = newMetrics(s)
	if err := s.Replace(models); err != nil {
		return nil, err
	}
	s.ready.Store(true)
	return s, nil
}

// tokenSum is the hash of a token.
type tokenSum = [sha256.Size]byte

// SetTokens replaces the tokens; see Options.Tokens. Running requests are not affected.
func (s *Server) SetTokens(tokens []string) {
	sums := make([]tokenSum, len(tokens))
	for i, token := range tokens {
		sums[i] = sha256.Sum256([]byte(token))
	}
	s.tokens.Store(&sums)
}

// ReloadFailed counts and logs that files could not be read again, and what stays instead of them.
func (s *Server) ReloadFailed(message string, err error) {
	s.metrics.failed.Inc()
	s.log.Error(message, "error", err)
}

// enter admits a request, as long as there are not too many; leave ends it.
func (s *Server) enter() (leave func(), err error) {
	select {
	case s.running <- struct{}{}:
		return func() { <-s.running }, nil
	default:
		return nil, faultf(http.StatusTooManyRequests,
			"too many concurrent requests: retry in a second")
	}
}

// Ready reports whether the server takes requests. It does from New until shutdown.
func (s *Server) Ready() bool { return s.ready.Load() }

// Close answers the requests in the queues and stops all models. Call it when no more requests
// come. A second call does nothing.
func (s *Server) Close() {
	s.ready.Store(false)
	s.mu.Lock()
	s.retire(s.roster)
	s.roster, s.closed = nil, true
	s.mu.Unlock()
	if err := s.retiring.Wait(); err != nil {
		s.log.Error("a model did not stop", "err", err)
	}
}

// Limits limit the resources that clients can use. A field that is 0 has its default, which the
// comments give.
type Limits struct {
	Body     int64 // bytes of a body as sent; 64 MiB
	Expanded int64 // bytes of a body after decompression; 64 MiB
	Held     int64 // bytes of memory for all requests together; 512 MiB
	Rows     int   // rows of a request, except streamed tables; 100,000
	Requests int   // concurrent requests; 1,024

	BatchRows int           // rows of one run of the network; 256
	Wait      time.Duration // how long a run waits for more requests, if it expects some; 2 ms
	QueueRows int           // rows in the queue of a model; 8,192

	Header time.Duration // timeout for the header of a request; 10 s
	// Transit is the timeout for each part of a body or of an answer; 60 s.
	Transit time.Duration
	Idle    time.Duration // timeout between the requests of a connection; 2 min
}

// withDefaults fills in what is zero.
func (l Limits) withDefaults() Limits {
	l.Body = cmp.Or(l.Body, 64<<20)
	l.Expanded = cmp.Or(l.Expanded, 64<<20)
	l.Held = cmp.Or(l.Held, 512<<20)
	l.Rows = cmp.Or(l.Rows, 100_000)
	l.Requests = cmp.Or(l.Requests, 1024)
	l.BatchRows = cmp.Or(l.BatchRows, 256)
	l.Wait = cmp.Or(l.Wait, 2*time.Millisecond)
	l.QueueRows = cmp.Or(l.QueueRows, 8192)
	l.Header = cmp.Or(l.Header, 10*time.Second)
	l.Transit = cmp.Or(l.Transit, time.Minute)
	l.Idle = cmp.Or(l.Idle, 2*time.Minute)
	return l
}
