package tabpfn

import (
	"math"
	"slices"
)

// Matrix is a dense row-major table; NaN marks missing values.
type Matrix struct {
	Rows, Cols int
	Data       []float64
}

// NewMatrix returns a matrix of zeros.
func NewMatrix(rows, cols int) Matrix {
	return Matrix{rows, cols, make([]float64, rows*cols)}
}

// column copies column j.
func (m Matrix) column(j int) []float64 {
	values := make([]float64, m.Rows)
	for i := range values {
		values[i] = m.Data[i*m.Cols+j]
	}
	return values
}

// setColumn replaces column j.
func (m Matrix) setColumn(j int, values []float64) {
	for i, v := range values {
		m.Data[i*m.Cols+j] = v
	}
}

// row returns row i without copying.
func (m Matrix) row(i int) []float64 { return m.Data[i*m.Cols : (i+1)*m.Cols] }

// pick returns the given columns.
func (m Matrix) pick(columns []int) Matrix {
	out := NewMatrix(m.Rows, len(columns))
	for i := range m.Rows {
		from, to := m.row(i), out.row(i)
		for k, j := range columns {
			to[k] = from[j]
		}
	}
	return out
}

// beside returns the columns of the parts side by side.
func beside(parts ...Matrix) Matrix {
	out := Matrix{Rows: parts[0].Rows}
	for _, p := range parts {
		out.Cols += p.Cols
	}
	out.Data = make([]float64, 0, out.Rows*out.Cols)
	for i := range out.Rows {
		for _, p := range parts {
			out.Data = append(out.Data, p.row(i)...)
		}
	}
	return out
}

// indices returns 0..n-1.
func indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// distinct returns the values that occur, ascending, and how often. All NaN are one value, last.
func distinct(values []float64) (unique []float64, counts []int) {
	sorted := slices.Clone(values)
	slices.SortFunc(sorted, compareLastNaN)
	for _, v := range sorted {
		if last := len(unique) - 1; last >= 0 && compareLastNaN(unique[last], v) == 0 {
			counts[last]++
			continue
		}
		unique, counts = append(unique, v), append(counts, 1)
	}
	return unique, counts
}

// compareLastNaN orders numbers, and NaN after all of them.
func compareLastNaN(a, b float64) int {
	switch {
	case math.IsNaN(a) && math.IsNaN(b):
		return 0
	case math.IsNaN(a):
		return 1
	case math.IsNaN(b):
		return -1
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
