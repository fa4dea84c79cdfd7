package main

import (
	"context"
	"fmt"
	"math"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
)

// methodOptimal is the name of [optimal].
const methodOptimal = "optimal"

// chains are those of a kind, as the program has them.
func chains(kind amp.Posterior, ranks *amp.Ranks) evaluate.Method {
	return evaluate.Posterior{Method: amp.Chains{Kind: kind, Ranks: ranks}}
}

// direct is the posterior of the model itself, and companion that of its companion.
var (
	direct    = evaluate.Posterior{Method: amp.Direct{}}
	companion = evaluate.Posterior{Method: amp.Direct{Companion: true}}
)

// simulationMethods are those of figure 2: the optimum, the paper's chains, their limit and, of a
// network, its own posterior and that of its companion.
func simulationMethods(set setting, a additive) []evaluate.Method {
	ranks := set.Ranks()
	methods := []evaluate.Method{optimal{a.signals}, chains(amp.PaperPosterior, ranks),
		chains(amp.LimitPosterior, ranks)}
	if set.Model != nil {
		methods = append(methods, direct, companion)
	}
	return methods
}

// stepMethods are those of the left panel of figure 3, and of figure 5: the number of forward
// samples.
func stepMethods(set setting, _ additive) []evaluate.Method {
	var methods []evaluate.Method
	for _, steps := range []int{5, 10, 20, 50, 100} {
		set.Steps = steps
		methods = append(methods,
			variant{chains(amp.PaperPosterior, set.Ranks()), fmt.Sprintf("N = %d", steps), 1})
	}
	return methods
}

// ablationMethods are those of the right panel of figure 3, and of figure 6: stretched predictive
// distributions, and two changes of the learning rate.
func ablationMethods(set setting, _ additive) []evaluate.Method {
	paper := chains(amp.PaperPosterior, set.Ranks())
	steep, plain := set.Ranks(), set.Ranks()
	steep.Beta = 1
	plain.Schedule = func(context amp.Shape) amp.Schedule { return unblown(context, set.Steps) }
	return []evaluate.Method{paper,
		variant{paper, "PPD x 0.8", 0.8}, variant{paper, "PPD x 1.25", 1.25},
		variant{chains(amp.PaperPosterior, steep), "beta = 1", 1},
		variant{chains(amp.PaperPosterior, plain), "no blow-up", 1}}
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

// variant is a method under another name, of predictive distributions whose distances from the
// median are multiplied by a factor > 0: the compressed (0.8) and widened (1.25) initial
// distributions of the paper's ablation. The functionals must be quantiles, whose posterior
// stretches with the distribution, because a chain moves ranks.
type variant struct {
	evaluate.Method
	name   string
	factor float64
}

// Name returns the other name.
func (v variant) Name() string { return v.name }

// Intervals stretches the intervals of the method.
func (v variant) Intervals(
	ctx context.Context, t *evaluate.Task, functionals []amp.Functional,
) ([][]evaluate.Interval, error) {
	made, err := v.Method.Intervals(ctx, t, functionals)
	if v.factor == 1 || err != nil {
		return made, err
	}
	for _, intervals := range made {
		for i, in := range intervals {
			m := t.Predictions[i].PPD.Quantile(0.5)
			intervals[i] = evaluate.Interval{Lo: m + v.factor*(in.Lo-m), Hi: m + v.factor*(in.Hi-m)}
		}
	}
	return made, nil
}

// optimal is the posterior of [ideal], beside any model.
type optimal struct{ signals int }

// Name is [methodOptimal].
func (optimal) Name() string { return methodOptimal }

// Intervals asks the exact model in place of the task's.
func (o optimal) Intervals(
	ctx context.Context, t *evaluate.Task, functionals []amp.Functional,
) ([][]evaluate.Interval, error) {
	p, err := ideal(o).Predict(ctx, t.Train, t.Query)
	if err != nil {
		return nil, err
	}
	exact := *t
	exact.Predictions = p
	return direct.Intervals(ctx, &exact, functionals)
}
