package matrix

import (
	"math"
	"slices"
	"testing"
)

func TestMatrix(t *testing.T) {
	m := Matrix{Rows: 3, Cols: 2, Data: []float64{1, 2, 3, 4, 5, 6}}
	is := func(what string, got Matrix, rows, cols int, data ...float64) {
		t.Helper()
		if got.Rows != rows || got.Cols != cols || !slices.Equal(got.Data, data) {
			t.Errorf("%s: %+v, want %d x %d %v", what, got, rows, cols, data)
		}
	}
	is("new", New(1, 2), 1, 2, 0, 0)
	is("span", m.Span(1, 3), 2, 2, 3, 4, 5, 6)
	is("no rows", m.Span(2, 2), 0, 2)
	is("pick", m.Pick([]int{1, 0, 1}), 3, 3, 2, 1, 2, 4, 3, 4, 6, 5, 6)
	is("no columns", m.Pick(nil), 3, 0)
	is("beside", Beside(m.Pick([]int{1}), m), 3, 3, 2, 1, 2, 4, 3, 4, 6, 5, 6)
	buffer := make([]float64, 5)
	column := m.Column(buffer, 1)
	if !slices.Equal(column, []float64{2, 4, 6}) || &column[0] != &buffer[0] {
		t.Errorf("column %v", column)
	}
	if column = m.Column(nil, 0); !slices.Equal(column, []float64{1, 3, 5}) {
		t.Errorf("column %v", column)
	}
	m.Row(1)[0] = 9
	m.Span(1, 2).Row(0)[1] = 8
	is("views", m, 3, 2, 1, 2, 9, 8, 5, 6)
}

// The median of no numbers is NaN; numbers stay in their order.
func TestMedian(t *testing.T) {
	odd := []float64{5, 1, 3}
	if got := Median(odd); got != 3 || odd[0] != 5 {
		t.Errorf("%v of %v", got, odd)
	}
	if got := Median([]float64{4, 1, 3, 2}); got != 2.5 {
		t.Error(got)
	}
	if got := Median(nil); !math.IsNaN(got) {
		t.Error(got)
	}
}
