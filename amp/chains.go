package amp

import (
	"cmp"
	"context"
	"sync"
)

// Ranks draws the rank posteriors of contexts and keeps them, with the summaries made of them.
// Methods that share a Ranks share its chains. It is safe for concurrent use. Do not copy it.
type Ranks struct {
	// Sampler sets how chains are drawn. If its Schedule is nil, every context gets its own
	// schedule.
	Sampler Sampler
	// Schedule returns the schedule of a context; nil means [PaperSchedule] with the exponent Beta.
	Schedule func(context Shape) Schedule
	// Beta is the exponent of the paper's schedule; 0 means [PaperBeta] of the number of features.
	Beta float64

	drawn     memo[Shape, *RankPosterior]
	summaries memo[asked, *Summarizer]
}

// Posterior returns the rank posterior of a context, drawn once.
func (r *Ranks) Posterior(ctx context.Context, c Shape) (*RankPosterior, error) {
	return r.drawn.of(c, func() (*RankPosterior, error) { return r.sampler(c).Draw(ctx) })
}

func (r *Ranks) sampler(c Shape) Sampler {
	sampler := r.Sampler
	switch {
	case sampler.Schedule != nil:
	case r.Schedule != nil:
		sampler.Schedule = r.Schedule(c)
	default:
		sampler.Schedule = PaperSchedule{Rows: c.Rows, Features: c.Features, Beta: r.Beta}
	}
	return sampler
}

func (r *Ranks) summarizer(ctx context.Context, c Shape, spec Spec) (*Summarizer, error) {
	spec, err := spec.complete()
	if err != nil {
		return nil, err
	}
	return r.summaries.of(asked{c, spec}, func() (*Summarizer, error) {
		posterior, err := r.Posterior(ctx, c)
		if err != nil {
			return nil, err
		}
		return posterior.Summarizer(ctx, spec)
	})
}

// Chains is the method of martingale posteriors. All rows share its chains.
type Chains struct {
	Kind  Posterior // PaperPosterior, also if it is "", or LimitPosterior
	Ranks *Ranks
}

// Name implements [Method]: paper or limit.
func (c Chains) Name() string { return string(cmp.Or(c.Kind, PaperPosterior)) }

// Answers implements [Method]: chains answer for every functional, of any PPD.
func (c Chains) Answers(Prediction, Functional) bool { return true }

// Prepare implements [Method]. The first functional of a context draws the chains.
func (c Chains) Prepare(ctx context.Context, context Shape, spec Spec) (Summary, error) {
	spec.Posterior = c.Kind
	s, err := c.Ranks.summarizer(ctx, context, spec)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Check returns the error that Prepare would return, without drawing chains.
func (c Chains) Check(context Shape, spec Spec) error {
	spec.Posterior = c.Kind
	if _, err := spec.complete(); err != nil {
		return err
	}
	_, err := c.Ranks.sampler(context).check()
	return err
}

// memo keeps the value computed for a key. The zero value is empty.
type memo[K comparable, V any] struct {
	mu    sync.Mutex
	known map[K]V
}

// of returns the value of a key. It computes the value once, and again only after a failure.
func (m *memo[K, V]) of(key K, compute func() (V, error)) (V, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, ok := m.known[key]; ok {
		return v, nil
	}
	v, err := compute()
	if err != nil {
		return v, err
	}
	if m.known == nil {
		m.known = make(map[K]V)
	}
	m.known[key] = v
	return v, nil
}

// asked is the key of a summary.
type asked struct {
	context Shape
	spec    Spec
}
