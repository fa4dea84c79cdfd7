package conformal

import (
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
	central, strange := make([]Interval, count), make([]float64, count)
	for k := range count {
		central[k], strange[k] = Interval{float64(-k), random.Float64()}, random.Float64()
	}
	for _, level := range []float64{0.5, 0.8, 0.95} {
		want := NewCalibration(level, count, foldOf, make([]int, n), scores)
		got := NewWeighted(level, foldOf, scores, weights)
		in, whole := got.Interval(central, 3)
		if in != want.Interval(0, central) || !whole {
			t.Errorf("level %v: %v, want %v", level, in, want.Interval(0, central))
		}
		if got.Usual(strange, 3) != want.Usual(0, strange) {
			t.Errorf("level %v: the class is in one set only", level)
		}
	}
}

// Rows without weight do not count, and a query row that outweighs the context has no finite
// interval.
func TestWeights(t *testing.T) {
	foldOf, scores := []int{0, 0, 0, 0, -1}, []float64{1, 2, 3, 4, 99}
	central := []Interval{{0, 0}}
	w := NewWeighted(0.5, foldOf, scores, []float64{1, 1, 0, 0, 5})
	if in, whole := w.Interval(central, 0); in != (Interval{-1, 1}) || !whole {
		t.Error(in, whole)
	}
	w = NewWeighted(0.5, foldOf, scores, []float64{0, 0, 1, 1, 5})
	if in, whole := w.Interval(central, 1); in != (Interval{-4, 4}) || !whole {
		t.Error(in, whole)
	}
	if _, whole := w.Interval(central, 9); whole {
		t.Error("the interval is finite")
	}
	if w.Usual([]float64{5}, 0) || !w.Usual([]float64{3.5}, 1) {
		t.Error("sets")
	}
}
