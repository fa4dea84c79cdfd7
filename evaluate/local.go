package evaluate

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mathext"

	"github.com/pfnamp/pfnamp/amp"
)

// LocalSampler draws rank posteriors on a grid of local sample sizes. The zero value of every
// field stands for its default.
type LocalSampler struct {
	Sizes   []float64 // grid of m, positive, strictly ascending; nil means DefaultSizes
	Steps   int       // see Sampler
	Chains  int
	Rho     float64
	Seed    uint64
	Workers int
}

// DefaultSizes returns the grid of local sample sizes 2^-6, 2^-5, ..., 2^17. Between its nodes
// limits are interpolated, with an error below the Monte-Carlo error of 4000 chains.
func DefaultSizes() []float64 {
	sizes := make([]float64, 24)
	for i := range sizes {
		sizes[i] = math.Ldexp(1, i-6)
	}
	return sizes
}

// LocalPosterior is a family of rank posteriors indexed by the local sample size. One serves all
// rows of all data sets. It is safe for concurrent use.
type LocalPosterior struct {
	logs       []float64 // ln m of the nodes
	posteriors []*amp.RankPosterior
}

// Draw runs the chains of every node; the nodes share their random streams, so that limits vary
// smoothly with m. It fails if a field of s is out of range, and with the cause of ctx when
// cancelled.
func (s LocalSampler) Draw(ctx context.Context) (*LocalPosterior, error) {
	sizes := s.Sizes
	if sizes == nil {
		sizes = DefaultSizes()
	}
	if !isGrid(sizes) {
		return nil, errors.New("evaluate: the grid of local sample sizes needs two positive values, " +
			"each above the one before")
	}
	p := new(LocalPosterior)
	for _, m := range sizes {
		sampler := amp.Sampler{Schedule: amp.LocalSchedule{Size: m}, Steps: s.Steps, Chains: s.Chains,
			Rho: s.Rho, Seed: s.Seed, Workers: s.Workers}
		posterior, err := sampler.Draw(ctx)
		if err != nil {
			return nil, err
		}
		p.logs = append(p.logs, math.Log(m))
		p.posteriors = append(p.posteriors, posterior)
	}
	return p, nil
}

// isGrid reports whether sizes are positive, each above the one before, and two or more.
func isGrid(sizes []float64) bool {
	for i, m := range sizes {
		if !(m > 0) || i > 0 && !(m > sizes[i-1]) {
			return false
		}
	}
	return len(sizes) >= 2
}

// LocalSummarizer turns PPDs with local sample sizes into estimates of one functional. It is safe
// for concurrent use.
type LocalSummarizer struct {
	functional amp.Functional
	logs       []float64
	lo, hi     []float64         // Φ^-1 of the limits' ranks at the nodes; nil if ranks do not suffice
	nodes      []*amp.Summarizer // at the nodes
}

// Summarizer prepares the summary of one functional. For a quantile with equal tails the ranks of
// both limits are tabulated here, so that a row costs two evaluations of P_0^-1. Other summaries
// are prepared here too, at every node, and a row is summarised at the two nodes next to its m.
// Errors are those of [amp.RankPosterior.Summarizer]; Spec.Errors is not supported.
func (p *LocalPosterior) Summarizer(ctx context.Context, spec amp.Spec) (*LocalSummarizer, error) {
	if spec.Errors {
		return nil, errors.New("evaluate: a local posterior has no Monte-Carlo errors")
	}
	s := &LocalSummarizer{logs: p.logs}
	for _, posterior := range p.posteriors {
		node, err := posterior.Summarizer(ctx, spec)
		if err != nil {
			return nil, err
		}
		s.nodes = append(s.nodes, node)
	}
	s.functional = s.nodes[0].Functional()
	if _, ok := s.functional.(amp.Quantile); !ok || spec.Interval != amp.EqualTailed {
		return s, nil
	}
	for _, node := range s.nodes {
		e := node.Row(ranks{})
		s.lo = append(s.lo, mathext.NormalQuantile(e.Lo))
		s.hi = append(s.hi, mathext.NormalQuantile(e.Hi))
	}
	return s, nil
}

// ranks is the uniform distribution on [0, 1], whose quantiles are ranks.
type ranks struct{}

func (ranks) CDF(y float64) float64      { return math.Max(0, math.Min(1, y)) }
func (ranks) Quantile(p float64) float64 { return p }
func (ranks) Mean() float64              { return 0.5 }

// Functional returns what s summarises.
func (s *LocalSummarizer) Functional() amp.Functional { return s.functional }

// Row returns the estimate at the query row whose PPD is ppd and whose local sample size is m,
// m >= 0. Limits are interpolated linearly in ln m between the nodes of the grid, on the scale of
// Φ^-1 of the ranks where these suffice; beyond the grid they are those of its ends. NaN limits
// tell that m is NaN. The standard errors are NaN.
func (s *LocalSummarizer) Row(ppd amp.PPD, m float64) amp.Estimate {
	i, share := s.place(m)
	if s.lo == nil {
		a, b := s.nodes[i].Row(ppd), s.nodes[i+1].Row(ppd)
		a.Lo += share * (b.Lo - a.Lo)
		a.Hi += share * (b.Hi - a.Hi)
		return a
	}
	e := amp.Estimate{Point: s.functional.Point(ppd), LoSE: math.NaN(), HiSE: math.NaN()}
	e.Lo = ppd.Quantile(rankOf(s.lo[i] + share*(s.lo[i+1]-s.lo[i])))
	e.Hi = ppd.Quantile(rankOf(s.hi[i] + share*(s.hi[i+1]-s.hi[i])))
	return e
}

// place returns the node below m and how far towards the next one m lies, in ln m.
func (s *LocalSummarizer) place(m float64) (i int, share float64) {
	if math.IsNaN(m) {
		return 0, math.NaN()
	}
	last := len(s.logs) - 1
	at := math.Max(s.logs[0], math.Min(s.logs[last], math.Log(m)))
	i, _ = slices.BinarySearch(s.logs, at)
	i = max(0, min(i-1, last-1))
	return i, (at - s.logs[i]) / (s.logs[i+1] - s.logs[i])
}

// The ranks next to 0 and 1 that package amp draws.
const (
	smallestRank = 0x1p-1022
	largestRank  = 1 - 0x1p-53
)

// rankOf is Φ(z), kept inside the open unit interval.
func rankOf(z float64) float64 {
	return math.Max(smallestRank, math.Min(largestRank, 0.5*math.Erfc(-z/math.Sqrt2)))
}

// Local is the method of chains with the learning rate of every row's local effective sample size
// ([amp.LocalSchedule]), where the model tells that. The rank posteriors are drawn once for all
// contexts. It must not be copied.
type Local struct {
	Kind    amp.PosteriorKind
	Sampler LocalSampler

	lock      sync.Mutex
	drawn     *LocalPosterior
	summaries map[asked]*LocalSummarizer
}

// asked is a summary that is kept: the functional's text form, and the rest of the question.
type asked struct {
	functional string
	spec       amp.Spec
}

// Name implements [amp.Method].
func (l *Local) Name() string { return "local" }

// Answers implements [amp.Method]: the local sample size must be known.
func (l *Local) Answers(p amp.Prediction, _ amp.Functional) bool { return !math.IsNaN(p.Size) }

// Prepare implements [amp.Method].
func (l *Local) Prepare(ctx context.Context, _ amp.Shape, spec amp.Spec) (amp.Summary, error) {
	s, err := l.Summarizer(ctx, spec)
	if err != nil {
		return nil, err
	}
	return localSummary{s}, nil
}

// Summarizer returns the summary of a functional at rows of any local sample size, made once. Its
// errors are those of [LocalPosterior.Summarizer].
func (l *Local) Summarizer(ctx context.Context, spec amp.Spec) (*LocalSummarizer, error) {
	spec.Posterior = l.Kind
	key := asked{amp.Functional(amp.Mean{}).String(), spec}
	if spec.Functional != nil {
		key.functional, key.spec.Functional = spec.Functional.String(), nil
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	if known, ok := l.summaries[key]; ok {
		return known, nil
	}
	if l.drawn == nil {
		drawn, err := l.Sampler.Draw(ctx)
		if err != nil {
			return nil, err
		}
		l.drawn, l.summaries = drawn, map[asked]*LocalSummarizer{}
	}
	made, err := l.drawn.Summarizer(ctx, spec)
	if err != nil {
		return nil, err
	}
	l.summaries[key] = made
	return made, nil
}

// localSummary is a LocalSummarizer as an amp.Summary.
type localSummary struct{ *LocalSummarizer }

func (s localSummary) Estimate(p amp.Prediction) amp.Estimate { return s.Row(p.PPD, p.Size) }

// Coupled interpolates the order statistics of the draws at the two nodes next to m.
func (s localSummary) Coupled(p amp.Prediction, ranks []int) []float64 {
	i, share := s.place(p.Size)
	draws, next := s.nodes[i].Coupled(p.PPD, ranks), s.nodes[i+1].Coupled(p.PPD, ranks)
	for b := range draws {
		draws[b] += share * (next[b] - draws[b])
	}
	return draws
}
