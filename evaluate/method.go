package evaluate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/pfn"
)

// Interval is a credible interval of a functional at one row.
type Interval = distr.Interval

// Task is predictions whose uncertainty is asked for.
type Task struct {
	Model       Model
	Train       pfn.Training
	Query       Matrix
	Predictions []amp.Prediction
	Level       float64 // of the intervals, in (0, 1)
	Seed        uint64
	Key         string // names the random stream of methods that draw, with Seed
}

// Method makes credible intervals.
type Method interface {
	// Name is how tables call the method.
	Name() string
	// Intervals returns the interval of every functional at every row; a nil entry tells that
	// the method has no answer for that functional, for this prediction.
	Intervals(ctx context.Context, t *Task, functionals []amp.Functional) ([][]Interval, error)
}

// Names of the methods.
const (
	MethodPaper     = string(amp.PaperPosterior)     // chains of the paper's schedule
	MethodLimit     = string(amp.LimitPosterior)     // the same, of the last distribution
	MethodDirect    = string(amp.DirectPosterior)    // the model's own posterior
	MethodCompanion = string(amp.CompanionPosterior) // that of its companion
	MethodBootstrap = "bootstrap"                    // refits on resampled training rows
	MethodPPD       = "ppd"                          // no interval: the predictive distribution itself
)

// Posterior makes intervals with a method of package amp. It has no answer for a functional that
// the method cannot answer at every row.
type Posterior struct{ amp.Method }

// Intervals implements [Method]: equal tails, at the level of the task. Errors are those of
// [amp.Method].
func (p Posterior) Intervals(
	ctx context.Context, t *Task, functionals []amp.Functional,
) ([][]Interval, error) {
	rows, all := t.Predictions, make([][]Interval, len(functionals))
	for i, f := range functionals {
		if slices.ContainsFunc(rows, func(r amp.Prediction) bool { return !p.Answers(r, f) }) {
			continue
		}
		var err error
		if all[i], err = p.intervals(ctx, t, f); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (p Posterior) intervals(
	ctx context.Context, t *Task, f amp.Functional,
) ([]Interval, error) {
	shape := amp.Shape{Rows: t.Train.X.Rows, Features: max(1, t.Train.X.Varying())}
	summary, err := p.Prepare(ctx, shape, amp.Spec{Functional: f, Level: t.Level})
	if err != nil {
		return nil, err
	}
	estimates := make([]amp.Estimate, len(t.Predictions))
	if err := amp.Estimates(ctx, summary, estimates, t.Predictions, 1); err != nil {
		return nil, err
	}
	intervals := make([]Interval, len(estimates))
	for i, e := range estimates {
		intervals[i] = Interval{Lo: e.Lo, Hi: e.Hi}
	}
	return intervals, nil
}

// Bootstrap is the paper's baseline (section 5.3): the model reads Refits tables of training rows
// drawn with replacement, and the interval of a functional is that of its point estimates,
//
//	[θ_(⌈tail B⌉), θ_(B+1-⌈tail B⌉)],  tail = (1-level)/2.
//
// It sees the sampling error of the model's estimate and neither its bias nor a prior.
type Bootstrap struct {
	Refits int // B, at least 2
}

// Name implements [Method].
func (b Bootstrap) Name() string { return MethodBootstrap }

// Intervals implements [Method].
func (b Bootstrap) Intervals(
	ctx context.Context, t *Task, functionals []amp.Functional,
) ([][]Interval, error) {
	if b.Refits < 2 {
		return nil, fmt.Errorf("a bootstrap needs at least 2 refits, got %d", b.Refits)
	}
	draws := make([][][]float64, len(functionals)) // by functional, row, refit
	for i := range draws {
		draws[i] = make([][]float64, t.Query.Rows)
	}
	random := Stream(t.Seed, t.Key+"/bootstrap")
	rows := make([]int, t.Train.X.Rows)
	for range b.Refits {
		for i := range rows {
			rows[i] = random.IntN(len(rows))
		}
		refit, err := t.Model.Predict(ctx, t.Train.Take(rows), t.Query)
		if err != nil {
			return nil, fmt.Errorf("bootstrap: %w", err)
		}
		for i, f := range functionals {
			for row, y := range Points(refit, f) {
				draws[i][row] = append(draws[i][row], y)
			}
		}
	}
	all := make([][]Interval, len(functionals))
	for i := range functionals {
		for _, values := range draws[i] {
			all[i] = append(all[i], equalTailed(values, t.Level))
		}
	}
	return all, nil
}

// equalTailed returns the equal-tailed interval of a sample, which it sorts.
func equalTailed(values []float64, level float64) Interval {
	slices.Sort(values)
	tail := (1 - level) / 2 * float64(len(values))
	cut := max(1, int(math.Ceil(tail-1e-9))) - 1
	return Interval{Lo: values[cut], Hi: values[len(values)-1-cut]}
}
