package amp

import (
	"context"
	"math"
)

// Local is the method of chains with the learning rate of every row's local effective sample size
// ([LocalSchedule]), where the model tells that. The rank posteriors are drawn once for all
// contexts. It must not be copied.
type Local struct {
	Kind    PosteriorKind
	Sampler LocalSampler

	drawn     memo[struct{}, *LocalPosterior]
	summaries memo[asked, *LocalSummarizer]
}

// Name implements [Method].
func (l *Local) Name() string { return "local" }

// Answers implements [Method]: the local sample size must be known.
func (l *Local) Answers(p Prediction, _ Functional) bool { return !math.IsNaN(p.Size) }

// Prepare implements [Method].
func (l *Local) Prepare(ctx context.Context, _ Shape, spec Spec) (Summary, error) {
	s, err := l.Summarizer(ctx, spec)
	if err != nil {
		return nil, err
	}
	return localSummary{s}, nil
}

// Summarizer returns the summary of a functional at rows of any local sample size, made once. Its
// errors are those of [LocalPosterior.Summarizer].
func (l *Local) Summarizer(ctx context.Context, spec Spec) (*LocalSummarizer, error) {
	spec.Posterior = l.Kind
	return l.summaries.of(askedOf(Shape{}, spec), func() (*LocalSummarizer, error) {
		posterior, err := l.drawn.of(struct{}{}, func() (*LocalPosterior, error) {
			return l.Sampler.Draw(ctx)
		})
		if err != nil {
			return nil, err
		}
		return posterior.Summarizer(ctx, spec)
	})
}

// localSummary is a LocalSummarizer as a Summary.
type localSummary struct{ *LocalSummarizer }

func (s localSummary) Estimate(p Prediction) Estimate { return s.Row(p.PPD, p.Size) }

// Coupled interpolates the order statistics of the draws at the two nodes next to m.
func (s localSummary) Coupled(p Prediction, ranks []int) []float64 {
	i, share := s.place(p.Size)
	draws, next := s.nodes[i].Coupled(p.PPD, ranks), s.nodes[i+1].Coupled(p.PPD, ranks)
	for b := range draws {
		draws[b] += share * (next[b] - draws[b])
	}
	return draws
}
