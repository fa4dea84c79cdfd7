package tabpfn

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// components projects a row on the leading right singular vectors of the scaled context rows.
type components struct {
	scalers []scaler
	vectors *mat.Dense // [columns][components]
}

// fitComponents keeps k components of the context rows, whose columns are divided by their
// deviations but not centred. The entry of largest magnitude of every vector is positive.
func fitComponents(x matrix.Matrix, k int) *components {
	c := &components{scalers: make([]scaler, x.Cols)}
	for j := range c.scalers {
		c.scalers[j] = fitScaler(x.Column(nil, j), false)
	}
	var svd mat.SVD
	scaled := c.scaled(x)
	if !svd.Factorize(scaled, mat.SVDThin) {
		return c // not a finite matrix; the columns are left out
	}
	var v mat.Dense
	svd.VTo(&v)
	k = min(k, min(x.Rows, x.Cols))
	c.vectors = mat.NewDense(x.Cols, k, nil)
	for j := range k {
		sign := 1.0
		var largest float64
		for i := range x.Cols {
			if magnitude := math.Abs(v.At(i, j)); magnitude > largest {
				largest, sign = magnitude, math.Copysign(1, v.At(i, j))
			}
		}
		for i := range x.Cols {
			c.vectors.Set(i, j, sign*v.At(i, j))
		}
	}
	return c
}

// scaled returns the scaled columns.
func (c *components) scaled(x matrix.Matrix) *mat.Dense {
	out := mat.NewDense(x.Rows, x.Cols, nil)
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			out.Set(i, j, c.scalers[j].apply(v))
		}
	}
	return out
}

// apply returns the components of every row.
func (c *components) apply(x matrix.Matrix) matrix.Matrix {
	if c.vectors == nil || x.Rows == 0 {
		return matrix.Matrix{Rows: x.Rows}
	}
	var out mat.Dense
	out.Mul(c.scaled(x), c.vectors)
	rows, cols := out.Dims()
	return matrix.Matrix{Rows: rows, Cols: cols, Data: out.RawMatrix().Data}
}
