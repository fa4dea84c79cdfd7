package serve

import (
	"crypto/sha256"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"

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
	s.retireAll()
	if err := s.retiring.Wait(); err != nil {
		s.log.Error("a model did not stop", "err", err)
	}
}
