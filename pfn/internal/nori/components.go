package nori

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/pfn/internal/tabpfn"
)

// components projects a row on the leading right singular vectors of the scaled context rows.
type components struct {
	fill, scale []float64  // by column: the value for missing cells, and the deviation
	vectors     *mat.Dense // [columns][components]
}

// fitComponents keeps k components of the context rows, whose columns are divided by their
// deviations but not centred. The row of largest magnitude along every vector is on its positive
// side. ok is false if numbers overflow float64, because then there are no singular vectors.
func fitComponents(x matrix.Matrix, k int) (c *components, ok bool) {
	c = &components{fill: make([]float64, x.Cols), scale: make([]float64, x.Cols)}
	for j := range x.Cols {
		column := x.Column(nil, j)
		mean, _, _ := tabpfn.Moments(column)
		c.fill[j] = single(mean)
		for i, v := range column {
			if math.IsNaN(v) {
				column[i] = c.fill[j]
			}
		}
		c.scale[j] = scaleOf(column)
	}
	var svd mat.SVD
	scaled := c.scaled(x)
	if !svd.Factorize(scaled, mat.SVDThin) {
		return nil, false
	}
	var v, along mat.Dense
	svd.VTo(&v)
	c.vectors = mat.DenseCopyOf(v.Slice(0, x.Cols, 0, min(k, x.Rows, x.Cols)))
	along.Mul(scaled, c.vectors)
	_, count := c.vectors.Dims()
	for j := range count {
		var largest float64
		for i := range x.Rows {
			if at := along.At(i, j); math.Abs(at) > math.Abs(largest) {
				largest = at
			}
		}
		if largest < 0 {
			for i := range x.Cols {
				c.vectors.Set(i, j, -c.vectors.At(i, j))
			}
		}
	}
	return c, true
}

// scaled returns the scaled columns.
func (c *components) scaled(x matrix.Matrix) *mat.Dense {
	out := mat.NewDense(x.Rows, x.Cols, nil)
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			if math.IsNaN(v) {
				v = c.fill[j]
			}
			out.Set(i, j, single(v/c.scale[j]))
		}
	}
	return out
}

// apply returns the components of every row.
func (c *components) apply(x matrix.Matrix) matrix.Matrix {
	if x.Rows == 0 {
		_, count := c.vectors.Dims()
		return matrix.Matrix{Cols: count}
	}
	var out mat.Dense
	out.Mul(c.scaled(x), c.vectors)
	rows, cols := out.Dims()
	return matrix.Matrix{Rows: rows, Cols: cols, Data: out.RawMatrix().Data}
}
