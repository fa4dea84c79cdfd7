//go:build !race

package main

import (
	"fmt"
	"math"
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/internal/must"
)

// Reference values, 90 % interval of the median with the exact model: an independent
// implementation of model and method in NumPy (6 data sets x 100 points).
func TestIdealReproducesTheReference(t *testing.T) {
	const points, chains = 100, 2000
	type figures struct{ coverage, width float64 }
	for _, c := range []struct {
		d, j, n        int
		optimal, paper figures
	}{
		{1, 1, 200, figures{0.93, 0.97}, figures{0.98, 1.21}},
		{1, 1, 800, figures{0.89, 0.50}, figures{1.00, 0.90}},
		{10, 5, 200, figures{0.91, 2.43}, figures{0.99, 3.88}},
		{10, 5, 800, figures{0.90, 1.15}, figures{1.00, 3.13}},
		{10, 10, 800, figures{0.90, 1.74}, figures{0.99, 3.26}},
		{20, 20, 800, figures{0.87, 2.82}, figures{0.99, 4.24}},
	} {
		methods := []evaluate.Method{
			evaluate.Posterior{Method: amp.Direct{}},
			evaluate.Posterior{Method: amp.Chains{Ranks: &amp.Ranks{
				Sampler: amp.Sampler{Chains: chains, Seed: 2}}}},
		}
		coverage := make([]evaluate.Moments, len(methods))
		width := make([]evaluate.Moments, len(methods))
		sets, tolerance := 6, 0.05
		if c.d == 1 { // neighbouring points are right or wrong together, also those of the reference
			sets, tolerance = 12, 0.08
		}
		for set := range sets {
			random := evaluate.Stream(5, fmt.Sprint(c.d, c.j, c.n, set))
			law := additive{features: c.d, signals: c.j}
			query := law.points(random, points)
			train, truth := law.draw(random, c.n, query)
			p, err := ideal{c.j}.Predict(t.Context(), train, query)
			must.Succeed(t, err)
			task := &evaluate.Task{Model: ideal{c.j}, Train: train, Query: query,
				Prediction: p, Level: 0.9}
			for i, m := range methods {
				got, err := m.Intervals(t.Context(), task,
					[]amp.Functional{amp.Quantile{Level: 0.5}})
				must.Succeed(t, err)
				coverage[i].Add(evaluate.Coverage(got[0], truth))
				width[i].Add(evaluate.Width(got[0]))
			}
		}
		for i, want := range []figures{c.optimal, c.paper} {
			t.Logf("d=%d J=%d n=%d %-8s coverage %.3f ± %.3f (%.2f), width %.3f ± %.3f (%.2f)",
				c.d, c.j, c.n, methods[i].Name(), coverage[i].Mean(), coverage[i].SE(),
				want.coverage, width[i].Mean(), width[i].SE(), want.width)
			if math.Abs(width[i].Mean()/want.width-1) > 0.06 {
				t.Errorf("width %.3f, reference %.2f", width[i].Mean(), want.width)
			}
			if math.Abs(coverage[i].Mean()-want.coverage) > tolerance {
				t.Errorf("coverage %.3f, reference %.2f", coverage[i].Mean(), want.coverage)
			}
		}
	}
}
