package paper

import (
	"math"
	"testing"

	"github.com/pfnamp/pfnamp/evaluate"
)

func TestStretched(t *testing.T) {
	s, want := stretched{evaluate.Normal{Mu: 2, Sigma: 3}, 0.8}, evaluate.Normal{Mu: 2, Sigma: 2.4}
	for _, y := range []float64{-3, 2, 5} {
		for name, pair := range map[string][2]float64{
			"CDF":        {s.CDF(y), want.CDF(y)},
			"LogDensity": {s.LogDensity(y), want.LogDensity(y)},
			"CRPS":       {s.CRPS(y), want.CRPS(y)},
			"Mean":       {s.Mean(), want.Mean()},
			"Quantile":   {s.Quantile(0.3), want.Quantile(0.3)},
		} {
			if math.Abs(pair[0]-pair[1]) > 1e-9 {
				t.Errorf("%s at %v: %v, want %v", name, y, pair[0], pair[1])
			}
		}
	}
}
