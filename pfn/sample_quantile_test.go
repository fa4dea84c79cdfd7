package pfn

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// For every u the quantile function goes through the order statistics at the levels that are exact,
// ascends in p and in u, and is its own mirror image.
func TestQuantileRank(t *testing.T) {
	at := func(r rank) float64 { return float64(r.k) + r.share }
	for _, n := range []int{2, 3, 8, 60} {
		binomials := []float64{0.02, 0.2, 0.37, 0.5, 0.9, 0.98}
		last := make([]float64, 199)
		for i := range last {
			last[i] = math.Inf(-1)
		}
		for _, u := range binomials {
			binomial := distuv.Binomial{N: float64(n), P: u}
			for k := 1; k <= n; k++ {
				p := binomial.CDF(float64(k - 1))
				if p < 1e-6 || p > 1-1e-6 {
					continue
				}
				if got := at(quantileRank(p, u, n)); math.Abs(got-float64(k)) > 1e-5 {
					t.Errorf("n = %d, u = %g: P(B < %d) is the level of place %g", n, u, k, got)
				}
			}
			before := math.Inf(-1)
			for i := range last {
				p := float64(i+1) / 200
				place := at(quantileRank(p, u, n))
				if place < before-1e-9 || place < last[i]-1e-9 {
					t.Errorf("n = %d, u = %g, p = %g: place %g after %g and %g", n, u, p, place,
						before, last[i])
				}
				mirror := float64(n+1) - at(quantileRank(1-p, 1-u, n))
				if math.Abs(place-mirror) > 1e-6 {
					t.Errorf("n = %d, u = %g, p = %g: place %g, mirror image %g", n, u, p, place,
						mirror)
				}
				before, last[i] = place, place
			}
		}
	}
}

// The 80 % interval of a quantile covers it in about 80 % of samples, where there are values on
// either side of it.
func TestSampleQuantileCoverage(t *testing.T) {
	const repeats = 4000
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		u float64
		n int
	}{{0.5, 5}, {0.5, 16}, {0.1, 40}, {0.1, 150}, {0.3, 16}, {0.9, 60}, {0.98, 400}} {
		truth := distuv.UnitNormal.Quantile(c.u)
		low, high := quantileRank(0.1, c.u, c.n), quantileRank(0.9, c.u, c.n)
		covered, y := 0, make([]float64, c.n)
		for range repeats {
			for i := range y {
				y[i] = r.NormFloat64()
			}
			slices.Sort(y)
			if low.of(y) <= truth && truth <= high.of(y) {
				covered++
			}
		}
		rate := float64(covered) / repeats
		t.Logf("u = %g, n = %d: coverage %.3f", c.u, c.n, rate)
		if math.Abs(rate-0.8) > 0.04 { // standard error 0.006
			t.Errorf("u = %g, n = %d: coverage %.3f", c.u, c.n, rate)
		}
	}
}
