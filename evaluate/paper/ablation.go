package paper

import (
	"context"
	"fmt"
	"math"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
)

// ablationCells is the right panel of figure 3, and figure 6.
func ablationCells(set Setting) []evaluate.Cell {
	return gridCells(set, func(s scene) []evaluate.Method {
		ranks, steep, plain := set.Ranks(), set.Ranks(), set.Ranks()
		steep.Beta = 1
		plain.Schedule = func(context amp.Shape) amp.Schedule { return unblown(context, set.Steps) }
		paper := evaluate.Posterior{Method: amp.Chains{Ranks: ranks}}
		return []evaluate.Method{
			paper,
			reshaped{paper, 0.8},
			reshaped{paper, 1.25},
			variant{evaluate.Posterior{Method: amp.Chains{Ranks: steep}}, "beta = 1"},
			variant{evaluate.Posterior{Method: amp.Chains{Ranks: plain}}, "no blow-up"},
		}
	})
}

// unblown is the paper's schedule without the factor 1/C that makes up for finite chains.
func unblown(context amp.Shape, steps int) amp.FixedSchedule {
	rates := make(amp.FixedSchedule, steps)
	for k := range rates {
		rates[k] = math.Min(1,
			math.Pow(2/float64(context.Rows+k+1), amp.PaperBeta(context.Features)))
	}
	return rates
}

// reshaped runs a method on predictive distributions stretched by a factor.
type reshaped struct {
	evaluate.Method
	factor float64
}

// Name implements [evaluate.Method].
func (r reshaped) Name() string { return fmt.Sprintf("PPD x %g", r.factor) }

// Intervals implements [evaluate.Method].
func (r reshaped) Intervals(
	ctx context.Context, t *evaluate.Task, functionals []amp.Functional,
) ([][]evaluate.Interval, error) {
	task := *t
	task.Prediction.PPDs = make([]evaluate.PPD, len(t.Prediction.PPDs))
	for i, ppd := range t.Prediction.PPDs {
		task.Prediction.PPDs[i] = stretched{ppd, r.factor}
	}
	return r.Method.Intervals(ctx, &task, functionals)
}
