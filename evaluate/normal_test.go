package evaluate_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"

	"github.com/pfnamp/pfnamp/evaluate"
)

func TestNormalScores(t *testing.T) {
	n := evaluate.Normal{Mu: 2, Sigma: 3}
	for _, y := range []float64{-7, 2, 4.5} {
		left := quad.Fixed(func(x float64) float64 { return n.CDF(x) * n.CDF(x) },
			2-36, y, 2000, nil, 0)
		right := quad.Fixed(func(x float64) float64 { return (1 - n.CDF(x)) * (1 - n.CDF(x)) },
			y, 2+36, 2000, nil, 0)
		if got := n.CRPS(y); math.Abs(got-left-right) > 1e-6 {
			t.Errorf("CRPS(%v) = %v, by its definition %v", y, got, left+right)
		}
	}
}
