package evaluate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// The limits are those of the definition, and in closed form where k is 0 or n.
func TestBinomialInterval(t *testing.T) {
	const tail = 0.025
	for _, n := range []int{1, 7, 88, 1500} {
		for _, k := range []int{0, 1, n / 2, n - 1, n} {
			lo, hi := BinomialInterval(k, n, 1-2*tail)
			trials := func(p float64) distuv.Binomial { return distuv.Binomial{N: float64(n), P: p} }
			if k > 0 {
				below := 1 - trials(lo).CDF(float64(k-1))
				if math.Abs(below-tail) > 1e-9 {
					t.Errorf("%d of %d: P(X >= k) = %g at %g", k, n, below, lo)
				}
			}
			if k < n {
				above := trials(hi).CDF(float64(k))
				if math.Abs(above-tail) > 1e-9 {
					t.Errorf("%d of %d: P(X <= k) = %g at %g", k, n, above, hi)
				}
			}
		}
		_, hi := BinomialInterval(0, n, 1-2*tail)
		if want := 1 - math.Pow(tail, 1/float64(n)); math.Abs(hi-want) > 1e-12 {
			t.Errorf("0 of %d: up to %g, want %g", n, hi, want)
		}
	}
}
