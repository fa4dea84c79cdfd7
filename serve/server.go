package serve

import (
	"crypto/sha256"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/pfnamp/pfnamp/serve/hosted"
)

// Options say how a server meets its clients.
type Options struct {
	Limits  Limits
	Version string // of the program, which metadata tell
	// Tokens: a client must send one of them, as "Authorization: Bearer TOKEN", except to ask for
	// the health of the server. Without tokens everybody may ask.
	Tokens []string
	// Hosts are the names by which the server may be called, without port; others are refused. nil
	// allows any. It keeps pages of other sites, whose name has been pointed at this machine, from
	// a server without tokens.
	Hosts []string
	// Origins are the sites whose pages may ask, such as https://example.org; other pages may not.
	Origins []string
	// CheckRows is the number of rows of a window of answered rows that is compared with the training
	// table of its model, for metrics; 0 compares nothing, and 20 is the least.
	CheckRows int
	Fit       *hosted.Fitting // nil lets nobody fit
	Log       *slog.Logger    // nil logs nothing
}

// Server answers for its models. It is safe for concurrent use.
type Server struct {
	options Options
	limits  Limits
	log     *slog.Logger
	sites   *http.CrossOriginProtection
	metrics *metrics
	hosted  *hosted.Service // nil without Options.Fit
	ready   atomic.Bool
	held    atomic.Int64 // bytes of all accounts
	running chan struct{}
	tokens  atomic.Pointer[[]tokenSum]

	mu       sync.Mutex
	roster   []*model // by name; of one name the oldest version first
	closed   bool
	retiring errgroup.Group
}

// New makes a server and starts to work for its models, which must differ in name or version. The
// caller closes it.
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
	if len(models) == 0 && opt.Fit == nil {
		return nil, errors.New("serve: there is no model")
	}
	if opt.Fit != nil {
		s.hosted = hosted.New(*opt.Fit)
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

// SetTokens replaces the tokens; see Options.Tokens. Requests that run are not concerned.
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
			"too many requests at the same time: try again later")
	}
}

// Ready reports whether the server takes requests: from New until it stops.
func (s *Server) Ready() bool { return s.ready.Load() }

// Close answers what waits, and ends the work of all models. It is called when no request comes any
// more; a second call does nothing.
func (s *Server) Close() {
	s.ready.Store(false)
	s.retireAll()
	if err := s.retiring.Wait(); err != nil {
		s.log.Error("a model did not end", "err", err)
	}
	if s.hosted != nil {
		s.hosted.Close()
	}
}
