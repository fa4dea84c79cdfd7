package pfn

import (
	"fmt"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/boost"
	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/pfn/internal/tabicl"
)

// maxTarget is the largest magnitude of a target for which all quantiles of the predictive
// distribution are finite.
const maxTarget = 1e300

// minDeviation is the smallest standard deviation of a target that varies. With a smaller one,
// quantiles are subnormal numbers, with too few digits to separate an interval from its point.
const minDeviation = 1e-290

// Matrix is a table of features: Rows*Cols float64 values in Data, row by row; NaN marks a missing
// value. Row i, column j is Data[i*Cols+j].
type Matrix = matrix.Matrix

func checkMatrix(m Matrix, table string) error {
	if m.Rows < 0 || m.Cols < 0 || len(m.Data) != m.Rows*m.Cols {
		return &InputError{Table: table, Row: -1, Col: -1, Msg: fmt.Sprintf(
			"%d values do not make %d rows of %d features", len(m.Data), m.Rows, m.Cols)}
	}
	for k, v := range m.Data {
		if math.IsInf(v, 0) {
			return &InputError{Table: table, Row: k / m.Cols, Col: k % m.Cols,
				Msg: "the value is infinite; use a number, or NaN for a missing value"}
		}
	}
	return nil
}

// Training is a labelled context table.
type Training struct {
	X           Matrix    // features, NaN = missing
	Categorical []bool    // reports features that are ordinal codes of categories; nil = none
	Y           []float64 // target, one finite value per row; for a classifier classes 0, 1, ...
	// Trees have read other rows of the same table. The network reads what they say of each row as
	// features more. nil = none
	Trees *boost.Forest
	raw   bool // whether outliers stay as they are, as in golden vectors
	told  bool // whether features are what trees say: no others grow
}

// Take returns a copy of these rows, in this order.
func (t Training) Take(rows []int) Training {
	part := Training{X: t.X.Take(rows), Categorical: t.Categorical, Y: make([]float64, len(rows)),
		Trees: t.Trees}
	for to, from := range rows {
		part.Y[to] = t.Y[from]
	}
	return part
}

// check refuses wrong shapes and values that cannot be used.
func (t Training) check() error {
	if err := checkMatrix(t.X, "context"); err != nil {
		return err
	}
	whole := InputError{Table: "context", Row: -1, Col: -1}
	if len(t.Y) != t.X.Rows {
		whole.Msg = fmt.Sprintf("there are %d target values for %d rows", len(t.Y), t.X.Rows)
		return &whole
	}
	if t.Categorical != nil && len(t.Categorical) != t.X.Cols {
		whole.Msg = fmt.Sprintf("there are %d categorical flags for %d features",
			len(t.Categorical), t.X.Cols)
		return &whole
	}
	for i, y := range t.Y {
		if math.IsNaN(y) || math.Abs(y) > maxTarget {
			return &InputError{Table: "context", Row: i, Col: -1, Msg: fmt.Sprintf(
				"the target is %g, but must be a number of magnitude at most %g", y, maxTarget)}
		}
	}
	return nil
}

// target is the target of a table in the form of a network: standardised numbers, or classes.
type target struct {
	tabicl.Target     // of numbers; classes have mean 0 and deviation 1
	classes       int // number K of classes, 0 for numbers
}

// table is a labelled table that was checked: Categorical is not nil.
type table struct {
	Training
	target
}

// labels returns the target in the form of a member. With an order, class k becomes order[k].
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

func (m *Model) admit(given Training) (*table, error) {
	if err := given.check(); err != nil {
		return nil, err
	}
	t := &table{Training: given}
	if t.Categorical == nil {
		t.Categorical = make([]bool, t.X.Cols)
	}
	var err error
	if t.X, err = given.Trees.Beside(given.X); err != nil {
		return nil, err
	}
	t.Categorical = given.Trees.Kinds(t.Categorical)
	if err := m.checkLimits(t.X); err != nil {
		return nil, err
	}
	if !m.Classifier() {
		t.target = target{Target: tabicl.FitTarget(t.Y)}
		if t.SD < minDeviation {
			return nil, &InputError{Table: "context", Row: -1, Col: -1, Msg: fmt.Sprintf(
				"the standard deviation of the target is %.3g; below %g numbers have too few digits: "+
					"use another unit", t.SD, minDeviation)}
		}
		return t, t.checkDigits()
	}
	classes, err := m.countClasses(t.Y)
	t.target = target{Target: tabicl.Target{SD: 1}, classes: classes}
	return t, err
}

// checkDigits refuses a target that varies, but so little for its size that float64 has no digits
// left. It lets pass a number and its neighbours, which are rounding errors of one value.
func (t *table) checkDigits() error {
	lo, hi := slices.Min(t.Y), slices.Max(t.Y)
	size := max(math.Abs(lo), math.Abs(hi))
	if !t.Constant || hi-lo <= 2*(math.Nextafter(size, math.Inf(1))-size) {
		return nil
	}
	return &InputError{Table: "context", Row: -1, Col: -1, Msg: fmt.Sprintf("the target is near %.6g "+
		"and varies by only %.3g, for which float64 has too few digits: subtract a constant before "+
		"you write the table", lo, hi-lo)}
}

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
