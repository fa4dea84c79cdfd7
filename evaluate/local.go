package evaluate

import (
	"context"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mathext"

	"github.com/pfnamp/pfnamp/amp"
)

// Local is the method of chains with the learning rate of every row's local effective sample size m
// ([amp.LocalSchedule]), where the model tells that. The rank posteriors are drawn once, on a grid
// of sizes, for all contexts. It is safe for concurrent use and must not be copied.
type Local struct {
	Kind amp.PosteriorKind
	// Sizes is the grid of m: positive, strictly ascending, two or more. nil means 2^-6, 2^-5, ...,
	// 2^17; between its nodes limits are interpolated, with an error below the Monte-Carlo error of
	// 4000 chains.
	Sizes   []float64
	Sampler amp.Sampler // whose Schedule is that of every node

	lock      sync.Mutex
	drawn     []*amp.RankPosterior // by node
	summaries map[asked]*localSummary
}

// asked is a summary that is kept: the functional's text form, and the rest of the question.
type asked struct {
	functional string
	spec       amp.Spec
}

// Name returns "local".
func (l *Local) Name() string { return MethodLocal }

// Answers tells whether the local sample size is known.
func (l *Local) Answers(p amp.Prediction, _ amp.Functional) bool { return !math.IsNaN(p.Size) }

// draw runs the chains of every node. The nodes share their random streams, so that limits vary
// smoothly with m.
func (l *Local) draw(ctx context.Context) error {
	if l.Sizes == nil {
		for i := range 24 {
			l.Sizes = append(l.Sizes, math.Ldexp(1, i-6))
		}
	}
	var drawn []*amp.RankPosterior
	for _, m := range l.Sizes {
		sampler := l.Sampler
		sampler.Schedule = amp.LocalSchedule{Size: m}
		posterior, err := sampler.Draw(ctx)
		if err != nil {
			return err
		}
		drawn = append(drawn, posterior)
	}
	l.drawn, l.summaries = drawn, map[asked]*localSummary{}
	return nil
}

// Prepare returns the summary of a functional at rows of any local sample size, made once. Limits
// are interpolated linearly in ln m between the nodes of the grid; beyond it they are those of its
// ends. Of a quantile with equal tails the ranks of both limits are tabulated, and interpolated
// on the scale of Φ^-1, so that a row costs two evaluations of P_0^-1. NaN limits tell that m is
// NaN. The standard errors are NaN. Errors are those of [amp.RankPosterior.Summarizer].
func (l *Local) Prepare(ctx context.Context, _ amp.Shape, spec amp.Spec) (amp.Summary, error) {
	spec.Posterior, spec.Errors = l.Kind, false
	key := asked{amp.Functional(amp.Mean{}).String(), spec}
	if spec.Functional != nil {
		key.functional, key.spec.Functional = spec.Functional.String(), nil
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.drawn == nil {
		if err := l.draw(ctx); err != nil {
			return nil, err
		}
	}
	if known, ok := l.summaries[key]; ok {
		return known, nil
	}
	made := new(localSummary)
	for i, posterior := range l.drawn {
		node, err := posterior.Summarizer(ctx, spec)
		if err != nil {
			return nil, err
		}
		made.logs, made.nodes = append(made.logs, math.Log(l.Sizes[i])), append(made.nodes, node)
		if _, ok := node.Functional().(amp.Quantile); ok && spec.Interval == amp.EqualTailed {
			e := node.Row(ranks{})
			made.lo = append(made.lo, mathext.NormalQuantile(e.Lo))
			made.hi = append(made.hi, mathext.NormalQuantile(e.Hi))
		}
	}
	l.summaries[key] = made
	return made, nil
}

// ranks is the uniform distribution on [0, 1], whose quantiles are ranks.
type ranks struct{}

func (ranks) CDF(y float64) float64      { return math.Max(0, math.Min(1, y)) }
func (ranks) Quantile(p float64) float64 { return p }
func (ranks) Mean() float64              { return 0.5 }

// localSummary turns predictions with local sample sizes into estimates of one functional.
type localSummary struct {
	logs   []float64         // ln m of the nodes
	lo, hi []float64         // Φ^-1 of the limits' ranks at the nodes; nil if ranks do not suffice
	nodes  []*amp.Summarizer // at the nodes
}

func (s *localSummary) Functional() amp.Functional { return s.nodes[0].Functional() }

func (s *localSummary) Estimate(p amp.Prediction) amp.Estimate {
	i, share := s.place(p.Size)
	if s.lo == nil {
		a, b := s.nodes[i].Row(p.PPD), s.nodes[i+1].Row(p.PPD)
		a.Lo += share * (b.Lo - a.Lo)
		a.Hi += share * (b.Hi - a.Hi)
		return a
	}
	e := amp.Estimate{Point: s.Functional().Point(p.PPD), LoSE: math.NaN(), HiSE: math.NaN()}
	e.Lo = p.PPD.Quantile(rankOf(s.lo[i] + share*(s.lo[i+1]-s.lo[i])))
	e.Hi = p.PPD.Quantile(rankOf(s.hi[i] + share*(s.hi[i+1]-s.hi[i])))
	return e
}

// Coupled interpolates the order statistics of the draws at the two nodes next to m.
func (s *localSummary) Coupled(p amp.Prediction, ranks []int) []float64 {
	i, share := s.place(p.Size)
	draws, next := s.nodes[i].Coupled(p.PPD, ranks), s.nodes[i+1].Coupled(p.PPD, ranks)
	for b := range draws {
		draws[b] += share * (next[b] - draws[b])
	}
	return draws
}

// place returns the node below m and how far towards the next one m lies, in ln m.
func (s *localSummary) place(m float64) (i int, share float64) {
	if math.IsNaN(m) {
		return 0, math.NaN()
	}
	last := len(s.logs) - 1
	at := math.Max(s.logs[0], math.Min(s.logs[last], math.Log(m)))
	i, _ = slices.BinarySearch(s.logs, at)
	i = max(0, min(i-1, last-1))
	return i, (at - s.logs[i]) / (s.logs[i+1] - s.logs[i])
}

// rankOf is Φ(z), kept between the ranks next to 0 and 1 that package amp draws.
func rankOf(z float64) float64 {
	const smallest, largest = 0x1p-1022, 1 - 0x1p-53
	return math.Max(smallest, math.Min(largest, 0.5*math.Erfc(-z/math.Sqrt2)))
}
