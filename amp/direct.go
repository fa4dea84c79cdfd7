package amp

import (
	"context"
	"math"
	"sync"
)

// Direct is the method that reads a model's own posterior, or that of its companion: no chains, so
// no Monte-Carlo error.
type Direct struct{ Companion bool }

// Name implements [Method].
func (d Direct) Name() string {
	if d.Companion {
		return string(CompanionPosterior)
	}
	return string(DirectPosterior)
}

// Answers implements [Method]: the model, or its companion, must know the functional.
func (d Direct) Answers(p Prediction, f Functional) bool {
	return learned(p, f) && byCompanion(p.Own) == d.Companion
}

// learned reports whether a network has said a posterior.
func learned(p Prediction, f Functional) bool { return p.Own != nil && p.Own.Of(f) != nil }

// Prepare implements [Method]. It fails if Spec.Errors is set, because there are no Monte-Carlo
// errors. Whether the model knows the functional depends on the row, see [Direct.Answers].
func (Direct) Prepare(_ context.Context, _ Shape, spec Spec) (Summary, error) {
	if spec.Errors {
		return nil, settingError("Errors", "the direct posterior has no Monte-Carlo errors")
	}
	spec, err := spec.complete()
	if err != nil {
		return nil, err
	}
	return directSummary{spec}, nil
}

// directSummary is the summary of a model's own posterior.
type directSummary struct{ spec Spec }

func (s directSummary) Functional() Functional { return s.spec.Functional }

// Estimate takes the point estimate of the posterior, if the posterior has a method Point()
// float64, as those of quantiles have, and otherwise the functional of the PPD, as other methods
// do. The mean and probabilities of the PPD are means of their posteriors, so they add up.
// Equal-tailed limits are
// the quantiles at (1-level)/2 and (1+level)/2.
func (s directSummary) Estimate(p Prediction) Estimate {
	nan := math.NaN()
	e := Estimate{Point: s.spec.Functional.Point(p.PPD), Lo: nan, Hi: nan, LoSE: nan, HiSE: nan}
	if p.Own == nil {
		return e
	}
	own := p.Own.Of(s.spec.Functional)
	if own == nil {
		return e
	}
	if point := pointOf(own); point != nil {
		e.Point = point()
	}
	tail := (1 - s.spec.Level) / 2
	if s.spec.Interval == HighestDensity {
		e.Lo, e.Hi = shortestInterval(own, s.spec.Level)
	} else {
		e.Lo, e.Hi = own.Quantile(tail), own.Quantile(1-tail)
	}
	e = e.Holding(e.Point)
	if _, ok := own.(classProbability); ok {
		e.Widened = false // that of a small probability is skewed
	}
	return e
}

// Coupled returns B draws, the quantiles at the levels (rank+½)/B.
func (s directSummary) Coupled(p Prediction, ranks []int) []float64 {
	draws := make([]float64, len(ranks))
	own := p.Own.Of(s.spec.Functional)
	for b, rank := range ranks {
		draws[b] = own.Quantile((float64(rank) + 0.5) / float64(len(ranks)))
	}
	return draws
}

// shortestSteps is how many lower tail probabilities shortestInterval tries.
const shortestSteps = 400

// shortestInterval returns the shortest interval [Q(a), Q(a+level)] that holds the share level of a
// posterior, of a grid of 0 < a < 1-level.
func shortestInterval(m Marginal, level float64) (lo, hi float64) {
	width := math.Inf(1)
	for i := range shortestSteps {
		a := (1 - level) * (float64(i) + 0.5) / shortestSteps
		if l, h := m.Quantile(a), m.Quantile(a+level); h-l < width {
			lo, hi, width = l, h, h-l
		}
	}
	return lo, hi
}

// Auto is [Direct] at rows where the model or its companion has a posterior of the functional, and
// [Chains] at the other rows. It draws the chains when the first such row comes.
type Auto struct{ Fallback Chains }

// Name implements [Method].
func (Auto) Name() string { return string(AutoPosterior) }

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

func (s autoSummary) at(p Prediction) Summary {
	if learned(p, s.Functional()) {
		return s.direct
	}
	return s.fallback()
}

func (s autoSummary) Functional() Functional         { return s.direct.Functional() }
func (s autoSummary) Estimate(p Prediction) Estimate { return s.at(p).Estimate(p) }
func (s autoSummary) Coupled(p Prediction, ranks []int) []float64 {
	return s.at(p).Coupled(p, ranks)
}
