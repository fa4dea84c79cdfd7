package evaluate_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
)

// The interval of the exact posterior, the optimum, and that of the paper's schedule, with the exact model of a simulated table.
func Example() {
	ctx, random := context.Background(), rand.New(rand.NewPCG(1, 2))
	law := evaluate.Additive{Features: 10, Signals: 5}
	draw := law.Draw(random, 400, law.Points(random, 200))
	model := evaluate.Ideal{Signals: 5}
	prediction, err := model.Predict(ctx, draw.Train, draw.Query)
	if err != nil {
		panic(err)
	}
	task := &evaluate.Task{Model: model, Train: draw.Train, Query: draw.Query,
		Prediction: prediction, Level: 0.9}
	for _, m := range []evaluate.Method{
		evaluate.Posterior{Method: amp.Direct{}},
		evaluate.Posterior{Method: amp.Chains{Ranks: &amp.Ranks{
			Sampler: amp.Sampler{Seed: 1, Chains: 1000}}}},
	} {
		made, err := m.Intervals(ctx, task, []amp.Functional{amp.Quantile{Level: 0.5}})
		if err != nil {
			panic(err)
		}
		fmt.Printf("%-7s coverage %.2f, mean width %.1f\n", m.Name(),
			evaluate.Coverage(made[0], draw.Mean), evaluate.Width(made[0]))
	}
	// Output:
	// direct  coverage 0.88, mean width 1.7
	// paper   coverage 0.99, mean width 3.4
}
