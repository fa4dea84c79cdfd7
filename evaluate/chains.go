package evaluate

import (
	"context"
	"sync"

	"github.com/pfnamp/pfnamp/amp"
)

// memo keeps what was computed for a key. The zero value is empty.
type memo[K comparable, V any] struct {
	mu    sync.Mutex
	known map[K]V
}

// of returns the value of a key, computed at most once unless that fails.
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

// size is the shape of a training table, on which the paper's schedule depends.
type size struct{ rows, features int }

// asked is a summary of a rank posterior.
type asked struct {
	size       size
	kind       amp.PosteriorKind
	functional string
	level      float64
}

// Ranks draws rank posteriors with the schedule of a training table's shape and keeps them.
type Ranks struct {
	Sampler  amp.Sampler                           // its Schedule is not used
	Schedule func(rows, features int) amp.Schedule // nil means the paper's

	drawn     memo[size, *amp.RankPosterior]
	summaries memo[asked, *amp.Summarizer]
}

// summarizer returns the summary of a functional for training tables of a shape.
func (r *Ranks) summarizer(
	ctx context.Context, s size, spec amp.Spec,
) (*amp.Summarizer, error) {
	key := asked{s, spec.Posterior, spec.Functional.String(), spec.Level}
	return r.summaries.of(key, func() (*amp.Summarizer, error) {
		posterior, err := r.drawn.of(s, func() (*amp.RankPosterior, error) {
			sampler := r.Sampler
			sampler.Schedule = amp.PaperSchedule{Rows: s.rows, Features: s.features}
			if r.Schedule != nil {
				sampler.Schedule = r.Schedule(s.rows, s.features)
			}
			return sampler.Draw(ctx)
		})
		if err != nil {
			return nil, err
		}
		return posterior.Summarizer(ctx, spec)
	})
}

// Chains makes intervals from chains that all rows share.
type Chains struct {
	Label   string            // name of the method
	Kind    amp.PosteriorKind // Paper or Limit
	Ranks   *Ranks
	Reshape func(PPD) PPD // applied to every PPD first; nil means none
}

// Name implements [Method].
func (c Chains) Name() string { return c.Label }

// Intervals implements [Method].
func (c Chains) Intervals(
	ctx context.Context, t *Task, functionals []amp.Functional,
) ([][]Interval, error) {
	all := make([][]Interval, len(functionals))
	for i, f := range functionals {
		summary, err := c.Ranks.summarizer(ctx, size{t.Train.Rows, t.Train.Cols},
			amp.Spec{Functional: f, Level: t.Level, Posterior: c.Kind})
		if err != nil {
			return nil, err
		}
		for _, ppd := range t.Prediction.PPDs {
			if c.Reshape != nil {
				ppd = c.Reshape(ppd)
			}
			e := summary.Row(ppd)
			all[i] = append(all[i], Interval{e.Lo, e.Hi})
		}
	}
	return all, nil
}

// Local makes intervals from chains with the learning rate of every row's local effective sample
// size, where the model tells that. The rank posteriors are drawn once for all tasks.
type Local struct {
	Label   string // name of the method
	Kind    amp.PosteriorKind
	Sampler amp.LocalSampler

	drawn     memo[struct{}, *amp.LocalPosterior]
	summaries memo[asked, *amp.LocalSummarizer]
}

// Name implements [Method].
func (l *Local) Name() string { return l.Label }

// Intervals implements [Method].
func (l *Local) Intervals(
	ctx context.Context, t *Task, functionals []amp.Functional,
) ([][]Interval, error) {
	all := make([][]Interval, len(functionals))
	if t.Prediction.Sizes == nil {
		return all, nil
	}
	for i, f := range functionals {
		summary, err := l.summarizer(ctx,
			amp.Spec{Functional: f, Level: t.Level, Posterior: l.Kind})
		if err != nil {
			return nil, err
		}
		for row, ppd := range t.Prediction.PPDs {
			e := summary.Row(ppd, t.Prediction.Sizes[row])
			all[i] = append(all[i], Interval{e.Lo, e.Hi})
		}
	}
	return all, nil
}

// summarizer returns the summary of a functional.
func (l *Local) summarizer(ctx context.Context, spec amp.Spec) (*amp.LocalSummarizer, error) {
	key := asked{kind: spec.Posterior, functional: spec.Functional.String(), level: spec.Level}
	return l.summaries.of(key, func() (*amp.LocalSummarizer, error) {
		posterior, err := l.drawn.of(struct{}{}, func() (*amp.LocalPosterior, error) {
			return l.Sampler.Draw(ctx)
		})
		if err != nil {
			return nil, err
		}
		return posterior.Summarizer(ctx, spec)
	})
}
