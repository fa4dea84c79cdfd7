package logistic

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// TestFit compares coefficients with the equations that they solve, and log odds of rows left out
// with those of regressions without them.
func TestFit(t *testing.T) {
	const n, penalty = 80, 2
	r := rand.New(rand.NewPCG(1, 2))
	x, label := mat.NewDense(n, 3, nil), make([]bool, n)
	for i := range n {
		x.SetRow(i, []float64{1, r.NormFloat64(), r.NormFloat64()})
		label[i] = x.At(i, 1)-x.At(i, 2)+r.NormFloat64() > 0
	}
	w := Fit(x, label, penalty, nil)
	if b, ok := bentAt(x, label, penalty, w); !ok || mat.Norm(b.slope, math.Inf(1)) > 1e-3 {
		t.Errorf("coefficients %v, slope %v", w, b.slope)
	}
	without := LeaveOut(x, label, penalty, w)
	for i := range n {
		others := mat.NewDense(n-1, 3, slices.Delete(slices.Clone(x.RawMatrix().Data), 3*i, 3*i+3))
		own := Fit(others, slices.Delete(slices.Clone(label), i, i+1), penalty, w)
		if want := floats.Dot(own, x.RawRowView(i)); math.Abs(without[i]-want) > 0.05 {
			t.Errorf("row %d: log odds %g, without it %g", i, without[i], want)
		}
	}
	for i := range label { // a perfect separation has finite coefficients
		label[i] = x.At(i, 1) > 0
	}
	if w := Fit(x, label, penalty, w); math.IsNaN(w[1]) || w[1] > 1e3 {
		t.Errorf("coefficients %v", w)
	}
}
