package paper_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/evaluate/paper"
)

// The interval of the exact posterior, the optimum, and that of the paper's schedule, with the
// exact model of a simulated table.
func Example() {
	ctx, random := context.Background(), rand.New(rand.NewPCG(1, 2))
	law := paper.Additive{Features: 10, Signals: 5}
	draw := law.Draw(random, 400, law.Points(random, 200))
	model := paper.Ideal{Signals: 5}
	prediction, err := model.Predict(ctx, draw.Train, draw.Query)
	if err != nil {
		panic(err)
	}
	task := &evaluate.Task{Model: model, Train: draw.Train, Query: draw.Query,
		Prediction: prediction, Level: 0.9}
	for _, m := range []amp.Method{
		amp.Direct{}, amp.Chains{Ranks: &amp.Ranks{Sampler: amp.Sampler{Seed: 1, Chains: 1000}}},
	} {
		made, err := evaluate.Posterior{Method: m}.Intervals(ctx, task,
			[]amp.Functional{amp.Quantile{Level: 0.5}})
		if err != nil {
			panic(err)
		}
		fmt.Printf("%-6s coverage %.2f, mean width %.1f\n", m.Name(),
			evaluate.Coverage(made[0], draw.Mean), evaluate.Width(made[0]))
	}
	// Output:
	// direct coverage 0.88, mean width 1.7
	// paper  coverage 0.99, mean width 3.4
}

// A study is a list of cells: here the first of figure 2, with the exact model.
func ExampleFindStudy() {
	study, _ := paper.FindStudy("simulation")
	cells := study.Cells(paper.Setting{Sets: 5, Points: 50, Setting: evaluate.Setting{
		Level: 0.9, Chains: 100, Steps: 20, Seed: 1, Workers: 1}})[:1]
	outcomes, err := evaluate.Run(context.Background(), cells, nil, 1, nil)
	if err != nil {
		panic(err)
	}
	results := evaluate.Results(cells, outcomes)
	for _, method := range []string{paper.MethodOptimal, evaluate.MethodPaper} {
		coverage, _ := evaluate.Find(results, method, "q0.9", "coverage")
		width, _ := evaluate.Find(results, method, "q0.9", "width")
		fmt.Printf("d = %s, n = %s, %-7s coverage %.2f, width %.1f\n", coverage.Param("d"),
			coverage.Param("n"), method, float64(coverage.Value), float64(width.Value))
	}
	// Output:
	// d = 1, n = 50, optimal coverage 0.94, width 1.7
	// d = 1, n = 50, paper   coverage 0.99, width 2.2
}
