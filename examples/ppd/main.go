// Ppd gives credible intervals for a predictive distribution of one's own. It imports package amp
// alone, which is pure Go: no C compiler and no onnxruntime are needed.
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

// exponential is the distribution that some model predicts for the time to the next failure.
type exponential struct{ mean float64 } // in hours

// CDF is the probability of a failure up to y hours.
func (e exponential) CDF(y float64) float64 { return 1 - math.Exp(-max(0, y)/e.mean) }

// Quantile is the time by which a share p has failed.
func (e exponential) Quantile(p float64) float64 { return -e.mean * math.Log1p(-p) }

// Mean is the expected time.
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
		fmt.Printf("%v is %.3g, and between %.3g and %.3g with probability 0.9\n", f, e.Point, e.Lo, e.Hi)
	}
	return nil
}
