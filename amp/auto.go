package amp

import (
	"context"
	"sync"
)

// Auto is [Direct] at rows where the model has its own posterior of the functional, and [Chains] at
// the other rows. It draws the chains when the first such row comes.
type Auto struct{ Fallback Chains }

// Name implements [Method].
func (Auto) Name() string { return AutoName }

// Answers implements [Method]: chains answer where the model does not.
func (Auto) Answers(Prediction, Functional) bool { return true }

// Prepare implements [Method]. It fails on Spec.Errors, as Direct does.
func (a Auto) Prepare(ctx context.Context, shape Shape, spec Spec) (Summary, error) {
	direct, err := Direct{}.Prepare(ctx, shape, spec)
	if err != nil {
		return nil, err
	}
	if err := a.Fallback.Check(shape, spec); err != nil {
		return nil, err
	}
	late := context.WithoutCancel(ctx) // chains cut short would be no chains
	return autoSummary{direct, sync.OnceValue(func() Summary {
		made, err := a.Fallback.Prepare(late, shape, spec)
		if err != nil {
			panic(err) // checked above
		}
		return made
	})}, nil
}

// autoSummary is the summary of Auto.
type autoSummary struct {
	direct   Summary
	fallback func() Summary
}

// at returns the summary that answers at a row.
func (s autoSummary) at(p Prediction) Summary {
	if (Direct{}).Answers(p, s.Functional()) {
		return s.direct
	}
	return s.fallback()
}

func (s autoSummary) Functional() Functional         { return s.direct.Functional() }
func (s autoSummary) Estimate(p Prediction) Estimate { return s.at(p).Estimate(p) }
func (s autoSummary) Coupled(p Prediction, ranks []int) []float64 {
	return s.at(p).Coupled(p, ranks)
}
