// Package matrix has the type for tables of numbers, from a reader's features through pipelines to
// the input of a network.
package matrix

import (
	"cmp"
	"math"
	"slices"
)

// Matrix is a dense table of float64, row by row; NaN marks a missing value.
type Matrix struct {
	Rows, Cols int
	Data       []float64 // Rows*Cols values: row i, column j is Data[i*Cols+j]
}

// New returns a matrix of zeros.
func New(rows, cols int) Matrix {
	return Matrix{Rows: rows, Cols: cols, Data: make([]float64, rows*cols)}
}

// Row returns row i without copying.
func (m Matrix) Row(i int) []float64 { return m.Data[i*m.Cols : (i+1)*m.Cols] }

// Span returns the rows first to last-1 without copying.
func (m Matrix) Span(first, last int) Matrix {
	return Matrix{Rows: last - first, Cols: m.Cols, Data: m.Data[first*m.Cols : last*m.Cols]}
}

// Take returns a copy of these rows, in this order; they may repeat.
func (m Matrix) Take(rows []int) Matrix {
	out := New(len(rows), m.Cols)
	for to, from := range rows {
		copy(out.Row(to), m.Row(from))
	}
	return out
}

// Column copies column j to dst, which may be nil and grows if needed.
func (m Matrix) Column(dst []float64, j int) []float64 {
	dst = slices.Grow(dst[:0], m.Rows)
	for i := range m.Rows {
		dst = append(dst, m.Data[i*m.Cols+j])
	}
	return dst
}

// Varying returns the number of columns with two different values; NaN does not count.
func (m Matrix) Varying() int {
	n := 0
	for j := range m.Cols {
		known := slices.DeleteFunc(m.Column(nil, j), math.IsNaN)
		if len(known) > 0 && slices.Min(known) < slices.Max(known) {
			n++
		}
	}
	return n
}

// Pick returns a copy of these columns, in this order.
func (m Matrix) Pick(columns []int) Matrix {
	out := New(m.Rows, len(columns))
	for i := range m.Rows {
		from, to := m.Row(i), out.Row(i)
		for k, j := range columns {
			to[k] = from[j]
		}
	}
	return out
}

// Beside returns a copy of the columns of all parts side by side. The parts must have the same
// number of rows, and there must be at least one.
func Beside(parts ...Matrix) Matrix {
	out := Matrix{Rows: parts[0].Rows}
	for _, p := range parts {
		out.Cols += p.Cols
	}
	out.Data = make([]float64, 0, out.Rows*out.Cols)
	for i := range out.Rows {
		for _, p := range parts {
			out.Data = append(out.Data, p.Row(i)...)
		}
	}
	return out
}

// Median returns the middle of numbers in any order, or the mean of the two middle ones; NaN
// without any. None may be NaN.
func Median(numbers []float64) float64 {
	sorted := slices.Sorted(slices.Values(numbers))
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// Upto returns 0, 1, ... n-1, such as all rows of a table in their order.
func Upto(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// Ranks returns the average ranks of values without NaN, from 0.
func Ranks(values []float64) []float64 {
	order := Upto(len(values))
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(values[a], values[b]), a-b)
	})
	out := make([]float64, len(values))
	for first := 0; first < len(order); {
		last := first
		for last < len(order) && values[order[last]] == values[order[first]] {
			last++
		}
		for _, i := range order[first:last] {
			out[i] = float64(first+last-1) / 2
		}
		first = last
	}
	return out
}
