package evaluate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/amp"
)

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
	rows := make([]int, t.Train.Rows)
	for range b.Refits {
		for i := range rows {
			rows[i] = random.IntN(len(rows))
		}
		refit, err := t.Model.Predict(ctx, t.Train.Take(rows), t.Query)
		if err != nil {
			return nil, fmt.Errorf("bootstrap: %w", err)
		}
		for i, f := range functionals {
			for row, y := range refit.Points(f) {
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
	return Interval{values[cut], values[len(values)-1-cut]}
}
