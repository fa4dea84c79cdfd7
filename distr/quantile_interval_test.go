package distr

import (
	"math"
	"testing"
)

// Shortest is no longer than any interval of a fine grid and holds what it must.
func TestShortest(t *testing.T) {
	for seed := range uint64(20) {
		for _, levels := range []int{8, 11, 99} {
			d := random(seed, levels, float64(seed%3)/4)
			for _, level := range []float64{0.01, 0.3, 0.5, 0.8, 0.9, 0.985, 0.9999} {
				lo, hi := d.Shortest(level)
				best := math.Inf(1)
				for i := range 4000 {
					a := (float64(i) + 0.5) / 4000 * (1 - level)
					best = min(best, d.Quantile(a+level)-d.Quantile(a))
				}
				if hi-lo > best*(1+1e-9)+1e-12*d.Scale {
					t.Errorf("seed %d, %d knots, level %g: width %g, there is one of %g",
						seed, levels, level, hi-lo, best)
				}
				atom := 1e-9
				if seed%3 > 0 {
					atom = 1 // P(lo <= Y) is not CDF(hi) - CDF(lo) at an atom
				}
				if mass := d.CDF(hi) - d.CDF(lo); mass < level-atom {
					t.Errorf("seed %d, level %g: mass %g", seed, level, mass)
				}
			}
		}
	}
}

func TestShortestOfSymmetric(t *testing.T) {
	d := NewQuantiles([]float64{-9, -4, -2, -1, 0, 1, 2, 4, 9})
	for _, level := range []float64{0.4, 0.6, 0.9, 0.99} {
		lo, hi := d.Shortest(level)
		if want := d.Quantile((1 + level) / 2); math.Abs(hi-want) > 1e-9 || math.Abs(lo+want) > 1e-9 {
			t.Errorf("level %g: %g..%g, want ±%g", level, lo, hi, want)
		}
	}
}

func TestShortestEdges(t *testing.T) {
	if lo, hi := Point(3, 9).Shortest(0.9); lo != 3 || hi != 3 {
		t.Errorf("point mass: %g..%g", lo, hi)
	}
	for _, level := range []float64{0, 1, -1, 2, math.NaN()} {
		if lo, hi := random(1, 9, 0).Shortest(level); !math.IsNaN(lo) || !math.IsNaN(hi) {
			t.Errorf("level %g: %g..%g", level, lo, hi)
		}
	}
}
