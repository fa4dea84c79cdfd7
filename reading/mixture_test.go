package reading

import (
	"math"
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/distr"
)

// The density of a mixture is the slope of its distribution function, its score that of its
// quantiles, and its variance that of what it draws.
func TestMixture(t *testing.T) {
	bell := func(location, scale float64) *distr.Quantiles {
		d := &distr.Quantiles{Left: 0.4, Right: 0.4, Location: location, Scale: scale}
		for i := range 99 {
			d.Knots = append(d.Knots, -math.Log(100/float64(i+1)-1))
		}
		return d
	}
	m := mixture{amp.Mixture[distr.PPD]{Parts: []distr.PPD{bell(0, 1), bell(6, 0.5)},
		Weights: []float64{0.3, 0.7}}}
	for _, y := range []float64{-9, -1, 0.3, 4, 6.1, 20} {
		const h = 1e-6
		if got, want := m.Density(y), (m.CDF(y+h)-m.CDF(y-h))/(2*h); math.Abs(got-want) > 1e-6 {
			t.Errorf("density %v at %v, want %v", got, y, want)
		}
		if got, want := m.LogDensity(y), math.Log(m.Density(y)); math.Abs(got-want) > 1e-9 {
			t.Errorf("log density %v at %v, want %v", got, y, want)
		}
		const levels = 20000
		score, mean, square := 0.0, 0.0, 0.0
		for i := range levels {
			u := (float64(i) + 0.5) / levels
			q := m.Quantile(u)
			below := 0.0
			if y < q {
				below = 1
			}
			score += 2 * (below - u) * (q - y) / levels
			mean += q / levels
			square += q * q / levels
		}
		if got := m.CRPS(y); math.Abs(got-score) > 2e-3 {
			t.Errorf("CRPS %v at %v, want %v", got, y, score)
		}
		if got := m.Variance(); math.Abs(got-(square-mean*mean)) > 0.01 ||
			math.Abs(m.Mean()-mean) > 0.002 {
			t.Errorf("mean %v and variance %v, want %v and %v", m.Mean(), got, mean, square-mean*mean)
		}
	}
}
