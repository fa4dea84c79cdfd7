package evaluate

import (
	"context"
	"math"
	"sync"

	"github.com/pfnamp/pfnamp/amp"
)

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
