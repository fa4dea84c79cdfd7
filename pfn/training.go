package pfn

import (
	"fmt"
	"math"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/pfn/internal/tabicl"
)

// maxTarget is the largest magnitude of a target for which every quantile of its predictive
// distribution is a finite float64.
const maxTarget = 1e300

// minDeviation is the least standard deviation of a target that varies: quantiles of one much
// smaller are subnormal numbers, which have too few digits to tell an interval from its point.
const minDeviation = 1e-290

// Matrix is a table of features: Rows*Cols float64 values in Data, row by row; NaN marks a missing
// value. That of row i, column j is Data[i*Cols+j].
type Matrix = matrix.Matrix

// checkMatrix looks for a wrong shape and for infinite values.
func checkMatrix(m Matrix, table string) error {
	if m.Rows < 0 || m.Cols < 0 || len(m.Data) != m.Rows*m.Cols {
		return &InputError{Table: table, Row: -1, Col: -1, Msg: fmt.Sprintf(
			"%d values are not %d rows of %d features", len(m.Data), m.Rows, m.Cols)}
	}
	for k, v := range m.Data {
		if math.IsInf(v, 0) {
			return &InputError{Table: table, Row: k / m.Cols, Col: k % m.Cols,
				Msg: "infinite value; give a number, or NaN for a missing value"}
		}
	}
	return nil
}

// Training is a labelled context table.
type Training struct {
	X           Matrix    // features, NaN = missing
	Categorical []bool    // which features are ordinal codes of categories; nil = none
	Y           []float64 // target, one finite value per row; of a classifier classes 0, 1, ...
}

// Take returns a copy of the given rows, in that order.
func (t Training) Take(rows []int) Training {
	part := Training{X: t.X.Take(rows), Categorical: t.Categorical, Y: make([]float64, len(rows))}
	for to, from := range rows {
		part.Y[to] = t.Y[from]
	}
	return part
}

// check looks for shapes that do not fit and values that cannot be used.
func (t Training) check() error {
	if err := checkMatrix(t.X, "context"); err != nil {
		return err
	}
	whole := InputError{Table: "context", Row: -1, Col: -1}
	if len(t.Y) != t.X.Rows {
		whole.Msg = fmt.Sprintf("%d target values for %d rows", len(t.Y), t.X.Rows)
		return &whole
	}
	if t.Categorical != nil && len(t.Categorical) != t.X.Cols {
		whole.Msg = fmt.Sprintf("%d categorical flags for %d features",
			len(t.Categorical), t.X.Cols)
		return &whole
	}
	for i, y := range t.Y {
		if math.IsNaN(y) || math.Abs(y) > maxTarget {
			return &InputError{Table: "context", Row: i, Col: -1, Msg: fmt.Sprintf(
				"target is %g; it must be a number of magnitude at most %g", y, maxTarget)}
		}
	}
	return nil
}

// target is the target of a table as a network reads it: numbers in standardised units, or classes.
type target struct {
	tabicl.Target     // of numbers; that of classes has the mean 0 and the deviation 1
	classes       int // number K of classes, 0 for numbers
}

// table is a labelled table that has been checked: Categorical is not nil.
type table struct {
	Training
	target
}

// labels returns the target as a member reads it. One that has an order sees class k as order[k].
func (t *table) labels(order []int) []float32 {
	if order == nil {
		return t.Standardize(t.Y)
	}
	y := make([]float32, len(t.Y))
	for i, k := range t.Y {
		y[i] = float32(order[int(k)])
	}
	return y
}

// admit checks a labelled table and compares it with the limits of the model.
func (m *Model) admit(given Training) (*table, error) {
	if err := given.check(); err != nil {
		return nil, err
	}
	if err := m.checkLimits(given.X); err != nil {
		return nil, err
	}
	t := &table{Training: given}
	if t.Categorical == nil {
		t.Categorical = make([]bool, t.X.Cols)
	}
	if !m.Classifier() {
		t.target = target{Target: tabicl.FitTarget(t.Y)}
		if t.SD < minDeviation {
			return nil, &InputError{Table: "context", Row: -1, Col: -1, Msg: fmt.Sprintf(
				"the target has a standard deviation of %.3g, and below %g numbers have too few digits; "+
					"give it in another unit", t.SD, minDeviation)}
		}
		return t, nil
	}
	classes, err := m.countClasses(t.Y)
	t.target = target{Target: tabicl.Target{SD: 1}, classes: classes}
	return t, err
}

// checkLimits compares a context table with the limits of the model.
func (m *Model) checkLimits(x Matrix) error {
	l := m.bundle.Manifest.Limits
	if x.Rows < l.MinRows || x.Rows > l.MaxRows {
		return &LimitError{What: "rows", Got: x.Rows, Min: l.MinRows, Max: l.MaxRows,
			Model: m.Name()}
	}
	if x.Cols < 1 || x.Cols > l.MaxFeatures {
		return &LimitError{What: "features", Got: x.Cols, Min: 1, Max: l.MaxFeatures,
			Model: m.Name()}
	}
	return nil
}
