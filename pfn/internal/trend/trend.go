package trend

import (
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Kinds of trends, which are ridge regressions. A member has one of them, or None.
const (
	None   = "none"
	Linear = "linear" // on the features themselves
	Kernel = "kernel" // on features whose inner products are a kernel
)

// Trend is a ridge regression. For a row with features z it predicts for target k
//
//	f_k(z) = Offsets[k] + sum_m Weights[k][m] phi_m(z).
//
// phi are the features or, with Centres, the kernel's values there. With Levels, they belong to the
// features after Levels. A regression has one target, and a classifier one for every class, or only
// the second of two classes.
//
// A regression's member with a trend reads
//
//	r_i = (y_i - f_{-i}(x_i) - shift) / Scale.
//
// f_{-i} is fitted without row i, and shift is the mean of the residuals. With the network's output
// r at a row x, the prediction is Scale r + f(x); Offsets includes the shift. Targets and f are in
// standardised units. Leave-one-out residuals are as large as errors at new rows; residuals of the
// fit are smaller.
//
// A classifier's member reads f as columns after the features: predicted shares of the classes. For
// a context row, the slopes are fitted without the row, but the mean with all rows: a mean without
// the row would reveal the row's class.
type Trend struct {
	Levels *Levels `json:"levels,omitempty"` // nil for unchanged features
	// These five are for kernels; only turned columns have axes.
	Columns []float64   `json:"columns,omitempty"` // weights of the columns in the kernel
	Length  float64     `json:"length,omitempty"`  // length of its bends, in standard deviations
	Mixing  float64     `json:"mixing,omitempty"`  // its interaction
	Axes    [][]float64 `json:"axes,omitempty"`    // axes to which columns are turned first, as rows
	Centres [][]float64 `json:"centres,omitempty"` // turned

	Weights [][]float64 `json:"weights"` // of every target
	Offsets []float64   `json:"offsets"` // of every target
	// Scale is the standard deviation of the residuals, at least minResidual; 0 for shares
	// of classes; of log odds, their share beside a network.
	Scale float64 `json:"scale,omitempty"`
	// Doubt is the variance of the noise divided by the penalty. Shared is the penalty divided by
	// the number of context rows per centre. Both are 0 for classes, for a linear trend, and for a
	// constant one.
	Doubt  float64 `json:"doubt,omitempty"`
	Shared float64 `json:"shared,omitempty"`

	root *mat.TriDense // Cholesky factor of the kernel of the centres + Shared; nil without Doubt
}

func (t *Trend) setColumns(c columns) {
	t.Columns, t.Length, t.Mixing = c.weights, c.length, c.interaction
	t.Axes = axisRows(c.axes)
}

func (t *Trend) columns() columns {
	return columns{kernel{t.Columns, shape{t.Length, t.Mixing}}, axesOf(t.Axes)}
}

// factorize computes the root of the kernel of the centres. It returns false if numbers are not
// finite.
func (t *Trend) factorize() bool {
	c, own := t.columns(), t.centres()
	t.root = choleskyRoot(c.values(own, own), t.Shared)
	return t.root != nil
}

func (t *Trend) centres() matrix.Matrix {
	return matrix.Matrix{Rows: len(t.Centres), Cols: len(t.Columns), Data: slices.Concat(t.Centres...)}
}

// at returns f of every row of features [rows, H], [rows, targets].
func (t *Trend) at(z matrix.Matrix) matrix.Matrix {
	if t.Centres != nil {
		_, z = t.shown(z)
	} else {
		z = t.Levels.of(z)
	}
	return t.of(z)
}

// shown returns features [rows, H] along the axes, and the kernel's values at the centres.
func (t *Trend) shown(z matrix.Matrix) (turned, values matrix.Matrix) {
	c := t.columns()
	turned = c.turn(t.Levels.of(z))
	return turned, c.values(turned, t.centres())
}

// show replaces the kernel's values of some rows by those of other features.
func (t *Trend) show(values, z matrix.Matrix, rows []int) {
	if len(rows) == 0 {
		return
	}
	_, others := t.shown(z.Take(rows))
	for k, i := range rows {
		copy(values.Row(i), others.Row(k))
	}
}

// of returns f from a line's input or from the kernel's values at the centres, [rows, targets].
func (t *Trend) of(z matrix.Matrix) matrix.Matrix {
	out := matrix.New(z.Rows, len(t.Offsets))
	for i := range z.Rows {
		for k, offset := range t.Offsets {
			out.Row(i)[k] = offset + floats.Dot(t.Weights[k], z.Row(i))
		}
	}
	return out
}

// doubts returns the variances of the error of f at every row of turned and values. They are the
// variances of a Gaussian process (Rasmussen & Williams 2006, equation 2.26) with the prior
// variance Doubt k(x, x), given the centres. Each centre counts for several rows of the context:
//
//	Doubt (k(x, x) - k' (K + Shared)^-1 k)
func (t *Trend) doubts(turned, values matrix.Matrix) []float64 {
	out := make([]float64, values.Rows)
	if t.root == nil {
		return out
	}
	var known mat.Dense
	if known.Solve(t.root, mat.NewDense(values.Rows, values.Cols, values.Data).T()) != nil {
		return out
	}
	for i := range out {
		rest := 1.0
		for j, v := range turned.Row(i) {
			rest += t.Columns[j] * v * v
		}
		for k := range values.Cols {
			rest -= known.At(k, i) * known.At(k, i)
		}
		out[i] = t.Doubt * max(rest, 0)
	}
	return out
}
