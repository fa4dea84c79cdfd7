// Ppd computes credible intervals for a predictive distribution of your own model. It imports only
// package amp, which is pure Go, so it needs no C compiler and no onnxruntime.
//
//	CGO_ENABLED=0 go run ./examples/ppd
package main

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/pfnamp/pfnamp/amp"
)

// exponential is the predictive distribution of your model, here for the time to the next failure.
type exponential struct{ mean float64 } // in hours

// CDF returns the probability of a failure within y hours.
func (e exponential) CDF(y float64) float64 { return 1 - math.Exp(-max(0, y)/e.mean) }

// Quantile returns the time in hours by which a share p has failed.
func (e exponential) Quantile(p float64) float64 { return -e.mean * math.Log1p(-p) }

// Mean returns the expected time in hours.
func (e exponential) Mean() float64 { return e.mean }

func main() {
	if err := intervals(context.Background(), exponential{mean: 40}); err != nil {
		log.Fatal(err)
	}
}

// intervals prints how well three functionals are known after 120 labelled rows of 2 features.
func intervals(ctx context.Context, ppd amp.PPD) error {
	sampler := amp.Sampler{Schedule: amp.PaperSchedule{Rows: 120, Features: 2}, Seed: 1}
	posterior, err := sampler.Draw(ctx) // once for all rows
	if err != nil {
		return err
	}
	for _, f := range []amp.Functional{amp.Mean{}, amp.Quantile{Level: 0.9}, amp.Above(100)} {
		summary, err := posterior.Summarizer(ctx, amp.Spec{Functional: f, Level: 0.9})
		if err != nil {
			return err
		}
		e := summary.Row(ppd)
		fmt.Printf("%v: %.3g (90 %% interval %.3g to %.3g)\n", f, e.Point, e.Lo, e.Hi)
	}
	return nil
}
