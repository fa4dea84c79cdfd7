// Package donors completes rows with missing cells. Other rows, the donors, lend their cells. A
// completed row is one possible version of the row, given the present cells. The mean over
// completed rows is E[. | the present cells].
//
// A donor counts more if its missing cells are expected to be like those of the row. Ridge
// regressions on the present cells predict the missing cells of the row and of the donors, of each
// donor without itself. The weight of donor i is
//
//	w_i = exp(-d_i²/(2h²) - c R² e_i²)/n_i,  d_i² = Σ_t ((q_t - p_it)/s_t)²
//
// Here q_t and p_it are the predictions of regression t, and s_t is the deviation of its residuals.
// R² is the largest share of a variance that a regression explains. e_i² is the mean squared
// difference between the present cells. n_i is 1 for a missing cell. For a category that no donor
// has, n_i is the number of donors with that of donor i: each category counts alike.
//
// If the present cells do not help to predict the missing ones, all donors weigh the same. A lent
// number is moved by the difference of the predictions; a lent category stays as it is. One donor
// lends all cells that a row lacks, which keeps dependences between cells (predictive mean
// matching, Little 1988).
//
// A few completed rows represent all donors. Equal rows are merged. If more rows are left than the
// caller wants, they are sorted by a regression's prediction of the target, and one is drawn from
// each stratum of equal weight.
package donors

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Most is the largest number of donors of a table. More donors hardly improve completed rows.
const Most = 1024

// Table is a table of donors. It is immutable and safe for concurrent use.
type Table struct {
	x       matrix.Matrix
	columns []column
	basis   matrix.Matrix  // functions of the donors' cells, centred and scaled
	first   []int          // the first function of every column
	width   int            // number of functions
	effects []*regressions // of every target on all cells
}

// column describes a feature.
type column struct {
	categorical bool
	lo, hi      float64
	steps       []float64           // distinct values of a number with few of them, ascending
	missing     int                 // donors that lack the cell
	donors      map[float64]float64 // how many have a category
	functions   []function
	targets     int // number of leading functions that regressions predict
}

// New makes a table of donors from rows of features and their targets. In features NaN is missing,
// and so is a category below 0. Targets are classes 0, 1, ... if classes is above 0.
func New(x matrix.Matrix, categorical []bool, y []float64, classes int) *Table {
	t := &Table{x: x, columns: make([]column, x.Cols)}
	for j := range t.columns {
		isCategory := j < len(categorical) && categorical[j]
		t.columns[j] = newColumn(x.Column(nil, j), isCategory, x.Cols)
		t.first = append(t.first, t.width)
		t.width += len(t.columns[j].functions)
	}
	t.basis = t.functions(x)
	t.learnEffects(y, classes)
	return t
}

// isMissing reports whether a cell of the column is missing.
func (c *column) isMissing(v float64) bool { return math.IsNaN(v) || c.categorical && v < 0 }

// Missing returns how many donors lack the cell of a column themselves.
func (t *Table) Missing(column int) int { return t.columns[column].missing }

// Lacks reports whether a value of a column means a missing cell.
func (t *Table) Lacks(column int, v float64) bool { return t.columns[column].isMissing(v) }

// newColumn measures a column of the donors.
func newColumn(values []float64, categorical bool, columns int) column {
	c := column{categorical: categorical, lo: math.Inf(1), hi: math.Inf(-1)}
	present := slices.DeleteFunc(slices.Clone(values), c.isMissing)
	if c.missing = len(values) - len(present); len(present) == 0 {
		return c
	}
	slices.Sort(present)
	c.lo, c.hi = present[0], present[len(present)-1]
	distinct := slices.Compact(slices.Clone(present))
	if 3*len(distinct) <= len(present) {
		c.steps = distinct
	}
	c.makeFunctions(values, present, columns)
	return c
}

// allowed returns the value nearest to v within the range of the donors, and one of their values if
// these are few.
func (c *column) allowed(v float64) float64 {
	if c.steps == nil {
		return min(max(v, c.lo), c.hi)
	}
	at, _ := slices.BinarySearch(c.steps, v)
	if at == len(c.steps) || at > 0 && v-c.steps[at-1] < c.steps[at]-v {
		at--
	}
	return c.steps[at]
}
