package heldout

import (
	"github.com/pfnamp/pfnamp/distr"
	"math/rand/v2"
	"testing"
)

// Equal weights give what a calibration gives, for numbers and for classes.
func TestEqualWeights(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	const n, count = 57, 5
	foldOf, scores, weights := make([]int, n), make([]float64, n), make([]float64, n)
	for i := range n {
		foldOf[i], scores[i], weights[i] = random.IntN(count), random.Float64(), 3
	}
	central, strange := make([]distr.Interval, count), make([]float64, count)
	for k := range count {
		central[k], strange[k] = distr.Interval{Lo: float64(-k), Hi: random.Float64()}, random.Float64()
	}
	for _, level := range []float64{0.5, 0.8, 0.95} {
		want := newCalibration(level, count, foldOf, make([]int, n), scores)
		got := newWeighted(level, foldOf, scores, weights)
		if in := got.interval(central, 3); in != want.interval(0, central) {
			t.Errorf("level %v: %v, want %v", level, in, want.interval(0, central))
		}
		if got.usual(strange, 3) != want.usual(0, strange) {
			t.Errorf("level %v: the class is in one set only", level)
		}
	}
}

// Rows without weight do not count, and a query row that outweighs the context has the
// widest interval.
func TestWeights(t *testing.T) {
	foldOf, scores := []int{0, 0, 0, 0, -1}, []float64{1, 2, 3, 4, 99}
	central := []distr.Interval{{Lo: 0, Hi: 0}}
	w := newWeighted(0.5, foldOf, scores, []float64{1, 1, 0, 0, 5})
	if in := w.interval(central, 0); in != (distr.Interval{Lo: -1, Hi: 1}) {
		t.Error(in)
	}
	w = newWeighted(0.5, foldOf, scores, []float64{0, 0, 1, 1, 5})
	for _, weight := range []float64{1, 9} {
		if in := w.interval(central, weight); in != (distr.Interval{Lo: -4, Hi: 4}) {
			t.Error(in)
		}
	}
	if w.usual([]float64{5}, 0) || !w.usual([]float64{3.5}, 1) {
		t.Error("sets")
	}
}
