package amp

import (
	"math"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/distr"
)

// A mixture averages distribution functions, and its quantiles invert the average.
func TestMixture(t *testing.T) {
	m := Mixture[PPD]{[]PPD{normalPPD{0, 1}, normalPPD{4, 0.5}, normalPPD{4, 0.5}},
		[]float64{0.5, 0.2, 0.3}}
	if got := m.Mean(); math.Abs(got-2) > 1e-12 {
		t.Errorf("mean %v", got)
	}
	levels := []float64{1e-9, 0.01, 0.3, 0.4999, 0.5, 0.51, 0.9, 1 - 1e-9}
	at := make([]float64, len(levels))
	m.Quantiles(at, levels)
	for i, p := range levels {
		q := m.Quantile(p)
		if math.Abs(q-at[i]) > 1e-12*math.Abs(q) {
			t.Errorf("quantile %v is %v, in a batch %v", p, q, at[i])
		}
		if c := m.CDF(q); math.Abs(c-p) > 1e-12 {
			t.Errorf("quantile %v is %v, where the distribution function is %v", p, q, c)
		}
	}
	if !slices.IsSorted(at) {
		t.Errorf("quantiles %v", at)
	}
}

// Of atoms the quantile is the least value that reaches the level.
func TestMixtureOfAtoms(t *testing.T) {
	m := Mixture[distr.Classes]{[]distr.Classes{{1, 0, 0}, {0, 0, 1}}, []float64{0.25, 0.75}}
	for _, at := range []struct{ p, want float64 }{{0.1, 0}, {0.25, 0}, {0.3, 2}, {0.9, 2}} {
		if got := m.Quantile(at.p); math.Abs(got-at.want) > 1e-12 {
			t.Errorf("quantile %v is %v, want %v", at.p, got, at.want)
		}
	}
}
