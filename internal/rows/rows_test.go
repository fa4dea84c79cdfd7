package rows

import (
	"math"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// The order of rows is that of what they hold, and does not depend on where they stand.
func TestOrder(t *testing.T) {
	nan := math.NaN()
	x := matrix.Matrix{Rows: 4, Cols: 2, Data: []float64{2, 1, 1, nan, 1, 0, 2, 1}}
	y := []float64{5, 0, 0, 4}
	if got := Order(x, y); !slices.Equal(got, []int{1, 2, 3, 0}) {
		t.Errorf("%v", got)
	}
}

// Drawn rows keep their order, and another stream draws others.
func TestDraw(t *testing.T) {
	all := []int{9, 8, 7, 6, 5, 4, 3, 2, 1, 0}
	drawn := Draw(all, 5, 1, 1)
	if len(drawn) != 5 || !slices.IsSortedFunc(drawn, func(a, b int) int { return b - a }) {
		t.Errorf("%v", drawn)
	}
	if slices.Equal(drawn, Draw(all, 5, 1, 2)) || !slices.Equal(drawn, Draw(all, 5, 1, 1)) {
		t.Errorf("%v, and of another stream %v", drawn, Draw(all, 5, 1, 2))
	}
	if got := Draw(all, 10, 1, 1); !slices.Equal(got, all) {
		t.Errorf("all: %v", got)
	}
}

// An index knows rows by their bits, where -0 is 0 and every NaN the same, and none if many are
// alike.
func TestIndex(t *testing.T) {
	x := matrix.Matrix{Rows: 3, Cols: 1, Data: []float64{0, math.NaN(), 2}}
	n := NewIndex(x, []float64{7, 8, 9})
	query := matrix.Matrix{Rows: 4, Cols: 1, Data: []float64{math.Copysign(0, -1), -math.NaN(), 3, 2}}
	if got := n.Known(query); got != 3 {
		t.Errorf("%d known", got)
	}
	if !n.Has(query, 0, 7) || n.Has(query, 0, 8) || n.Has(query, 2, 9) {
		t.Error("labels of known rows")
	}
	twice := NewIndex(matrix.Matrix{Rows: 3, Cols: 1, Data: []float64{1, 1, 2}}, make([]float64, 3))
	if twice != nil || twice.Known(query) != 0 {
		t.Error("an index of equal rows tells them apart")
	}
}
