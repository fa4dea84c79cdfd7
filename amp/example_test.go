package amp_test

import (
	"context"
	"fmt"
	"math"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/distr"
)

// logistic is the PPD of one query row, as a PFN returns it.
type logistic struct{ location, scale float64 }

func (p logistic) CDF(y float64) float64 { return 1 / (1 + math.Exp((p.location-y)/p.scale)) }

func (p logistic) Quantile(q float64) float64 { return p.location + p.scale*math.Log(q/(1-q)) }

func (p logistic) Mean() float64 { return p.location }

// Intervals of three functionals at one query row, after a context of 200 rows and 3 features.
func Example() {
	ctx := context.Background()
	sampler := amp.Sampler{Schedule: amp.PaperSchedule{Rows: 200, Features: 3}, Seed: 1}
	posterior, err := sampler.Draw(ctx)
	if err != nil {
		panic(err)
	}
	functionals, err := amp.ParseFunctionals("mean,q0.9,p>150")
	if err != nil {
		panic(err)
	}
	row := logistic{location: 140, scale: 10}
	for _, f := range functionals {
		summary, err := posterior.Summarizer(ctx, amp.Spec{Functional: f, Errors: true})
		if err != nil {
			panic(err)
		}
		e := summary.Row(row)
		fmt.Printf("%-6v %6.2f in [%.2f, %.2f]\n", f, e.Point, e.Lo, e.Hi)
	}
	// Output:
	// mean   140.00 in [127.43, 152.11]
	// q0.9   161.97 in [142.52, 179.19]
	// p>150    0.27 in [0.02, 0.62]
}

func ExampleParseFunctional() {
	for _, text := range []string{"median", "p( 1, 2]", "q0"} {
		f, err := amp.ParseFunctional(text)
		fmt.Println(f, err != nil)
	}
	// Output:
	// q0.5 false
	// p(1,2] false
	// <nil> true
}

// Intervals of class probabilities at one query row, after a context of 1000 rows and 2 features.
func ExampleClasses() {
	ctx := context.Background()
	sampler := amp.Sampler{Schedule: amp.PaperSchedule{Rows: 1000, Features: 2}, Rho: 1, Seed: 1}
	posterior, err := sampler.Draw(ctx)
	if err != nil {
		panic(err)
	}
	row, err := distr.NewClasses([]float64{0.7, 0.2, 0.1}) // of a classifier
	if err != nil {
		panic(err)
	}
	for k := range row {
		summary, err := posterior.Summarizer(ctx,
			amp.Spec{Functional: amp.Class(k), Posterior: amp.LimitPosterior})
		if err != nil {
			panic(err)
		}
		e := summary.Row(row)
		fmt.Printf("class %d: %.2f in [%.2f, %.2f]\n", k, e.Point, e.Lo, e.Hi)
	}
	// Output:
	// class 0: 0.70 in [0.51, 0.87]
	// class 1: 0.20 in [0.07, 0.38]
	// class 2: 0.10 in [0.02, 0.23]
}
