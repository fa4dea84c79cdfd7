package paper

import (
	"context"
	"math"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
)

// MethodOptimal is the name of the analytic optimum: the posterior of [Ideal], beside any model.
const MethodOptimal = "optimal"

// optimal is the method of that name.
type optimal struct{ signals int }

// Name implements [evaluate.Method].
func (optimal) Name() string { return MethodOptimal }

// Intervals implements [evaluate.Method].
func (o optimal) Intervals(
	ctx context.Context, t *evaluate.Task, functionals []amp.Functional,
) ([][]evaluate.Interval, error) {
	p, err := Ideal{o.signals}.Predict(ctx, t.Train, t.Query)
	if err != nil {
		return nil, err
	}
	exact := *t
	exact.Prediction = p
	return evaluate.Posterior{Method: amp.Direct{}}.Intervals(ctx, &exact, functionals)
}

// function is the posterior of the mean function at a row. It implements [amp.Own].
type function struct{ mean evaluate.Normal }

// Of returns the posterior of a functional, which is that of the mean function, moved.
func (p function) Of(f amp.Functional) amp.Marginal {
	shift, ok := noiseShift(f)
	if !ok {
		return nil
	}
	return moved{p.mean, shift}
}

// moved is a normal distribution moved to the right.
type moved struct {
	evaluate.Normal
	by float64
}

// Quantile returns the moved quantile.
func (m moved) Quantile(p float64) float64 { return m.Normal.Quantile(p) + m.by }

// noiseShift is the functional of the noise: the distance of the functional of a label's
// distribution from its mean. There is none of a functional that does not move with the label.
func noiseShift(f amp.Functional) (shift float64, ok bool) {
	noise := evaluate.Normal{Sigma: math.Sqrt(noiseVariance)}
	return f.Point(noise), f.Unit() == amp.TargetUnit
}
