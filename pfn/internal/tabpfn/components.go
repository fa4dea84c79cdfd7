package tabpfn

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// scaler imputes missing and infinite values with the mean of the context rows, subtracts the mean
// if centred, and divides by the population deviation.
type scaler struct {
	fill, mean, sd float64
	centred        bool
}

// fitScaler fits the context rows of one column. A column that is constant up to rounding keeps its
// scale; a column without finite values is filled with 0.
func fitScaler(values []float64, centred bool) scaler {
	s := scaler{centred: centred}
	s.fill, _, _ = moments(values)
	filled := make([]float64, len(values))
	for i, v := range values {
		filled[i] = s.filled(v)
	}
	mean, variance, constant := moments(filled)
	s.mean, s.sd = mean, math.Sqrt(variance)
	if constant {
		s.sd = 1
	}
	return s
}

// apply scales one value. On overflow it returns the mean.
func (s scaler) apply(v float64) float64 {
	v = s.filled(v)
	if s.centred {
		v -= s.mean
	}
	if v /= s.sd; v-v != 0 {
		return 0
	}
	return v
}

func (s scaler) filled(v float64) float64 {
	if v-v != 0 { // NaN or Inf
		return s.fill
	}
	return v
}

// moments returns mean and population variance of the finite values, 0 if there are none. They are
// constant if the variance is at most the rounding error of its computation.
//
// Source: Chan, Golub and LeVeque, "Algorithms for computing the sample variance: analysis and
// recommendations", The American Statistician 37 (1983) 242-247, as scikit-learn uses it.
func moments(values []float64) (mean, variance float64, constant bool) {
	count := 0.0
	for _, v := range values {
		if v-v == 0 {
			mean += v
			count++
		}
	}
	if count == 0 {
		return 0, 0, true
	}
	mean /= count
	var drift float64
	for _, v := range values {
		if v-v == 0 {
			d := v - mean
			variance += d * d
			drift += d
		}
	}
	variance = (variance - drift*drift/count) / count
	noise := count * mean * epsilon
	return mean, variance, variance <= count*epsilon*variance+noise*noise
}

// components projects a row on the leading right singular vectors of the scaled context rows.
type components struct {
	scalers []columnTransform
	vectors *mat.Dense // [columns][components]
}

// fitComponents keeps k components of the context rows, whose columns are divided by their
// deviations but not centred. The entry of largest magnitude of every vector is positive.
func fitComponents(x matrix.Matrix, k int) *components {
	c := &components{}
	for j := range x.Cols {
		c.scalers = append(c.scalers, fitScaler(x.Column(nil, j), false).apply)
	}
	c.fit(x, k, false)
	return c
}

// fit finds the vectors, none if the scaled rows are not finite. The entry of largest magnitude of
// every vector is positive or, with byRows, the row of largest magnitude along it.
func (c *components) fit(x matrix.Matrix, k int, byRows bool) {
	var svd mat.SVD
	scaled := c.scaled(x)
	if !svd.Factorize(scaled, mat.SVDThin) {
		return
	}
	var v mat.Dense
	svd.VTo(&v)
	c.vectors = mat.DenseCopyOf(v.Slice(0, x.Cols, 0, min(k, x.Rows, x.Cols)))
	decisive := mat.DenseCopyOf(c.vectors)
	if byRows {
		decisive = new(mat.Dense)
		decisive.Mul(scaled, c.vectors)
	}
	rows, count := decisive.Dims()
	for j := range count {
		largest := 0.0
		for i := range rows {
			if at := decisive.At(i, j); math.Abs(at) > math.Abs(largest) {
				largest = at
			}
		}
		for i := 0; largest < 0 && i < x.Cols; i++ {
			c.vectors.Set(i, j, -c.vectors.At(i, j))
		}
	}
}

func (c *components) scaled(x matrix.Matrix) *mat.Dense {
	out := mat.NewDense(x.Rows, x.Cols, nil)
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			out.Set(i, j, c.scalers[j](v))
		}
	}
	return out
}

func (c *components) apply(x matrix.Matrix) matrix.Matrix {
	if c.vectors == nil || x.Rows == 0 {
		return matrix.Matrix{Rows: x.Rows}
	}
	var out mat.Dense
	out.Mul(c.scaled(x), c.vectors)
	rows, cols := out.Dims()
	return matrix.Matrix{Rows: rows, Cols: cols, Data: out.RawMatrix().Data}
}
