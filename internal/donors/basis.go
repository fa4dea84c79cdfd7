package donors

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// function is a function of a cell. For a number it is a line, or a line that begins at a knot; for
// a category it reports whether the cell is that category; for both it may report a missing cell.
// Over the donors it has mean 0 and variance 1.
type function struct {
	kind         kind
	at           float64 // knot or category
	mean, spread float64 // before standardisation
}

type kind int

const (
	line kind = iota
	bend
	category
	absent
)

const (
	mostLevels  = 8  // most frequent categories with functions
	mostBent    = 40 // columns up to which numbers have knots
	farthest    = 4  // limit of a number, in standard deviations
	leastSpread = 1e-9
)

// knots are the quantile levels at which lines begin.
var knots = []float64{0.2, 0.5, 0.8}

// makeFunctions chooses the functions of a column. present are the sorted cells that are not
// missing, and columns is the number of columns of the table.
func (c *column) makeFunctions(values, present []float64, columns int) {
	add := func(f function) {
		if f.measure(values, c.isMissing) {
			c.functions = append(c.functions, f)
		}
	}
	if c.categorical {
		for _, level := range c.levels(present) {
			add(function{kind: category, at: level})
		}
		c.targets = len(c.functions)
	} else {
		add(function{kind: line})
		c.targets = len(c.functions)
		for _, p := range knots {
			if knot := present[int(p*float64(len(present)-1))]; columns <= mostBent && knot > c.lo &&
				knot < c.hi {
				add(function{kind: bend, at: knot})
			}
		}
	}
	if c.missing > 0 {
		add(function{kind: absent})
	}
}

// levels counts categories, and returns the most frequent ones; of two it returns one.
func (c *column) levels(present []float64) []float64 {
	distinct := slices.Compact(slices.Clone(present))
	c.donors = map[float64]float64{}
	for _, v := range present {
		c.donors[v]++
	}
	if len(distinct) == 2 {
		return distinct[1:]
	}
	slices.SortStableFunc(distinct, func(a, b float64) int {
		return cmp.Compare(c.donors[b], c.donors[a])
	})
	return distinct[:min(len(distinct), mostLevels)]
}

// raw returns the function before standardisation; for a missing cell it returns the mean.
func (f *function) raw(v float64, missing bool) float64 {
	switch {
	case missing && f.kind != absent:
		return f.mean
	case missing, f.kind == category && v == f.at:
		return 1
	case f.kind >= category: // another category, or a cell that is there
		return 0
	case f.kind == bend:
		return max(0, v-f.at)
	}
	return v
}

// measure computes mean and spread, and reports whether the function varies.
func (f *function) measure(values []float64, isMissing func(float64) bool) bool {
	var there []float64
	for _, v := range values {
		if missing := isMissing(v); f.kind == absent || !missing {
			there = append(there, f.raw(v, missing))
		}
	}
	f.mean, f.spread = stat.PopMeanStdDev(there, nil)
	return f.spread > leastSpread*math.Abs(f.mean) && f.spread > 0 && f.spread < math.Inf(1)
}

// of returns the function of a cell.
func (f *function) of(v float64, missing bool) float64 {
	z := (f.raw(v, missing) - f.mean) / f.spread
	if f.kind <= bend {
		return min(max(z, -farthest), farthest)
	}
	return z
}

// functions returns the functions of the cells of rows, [rows, functions].
func (t *Table) functions(x matrix.Matrix) matrix.Matrix {
	out := matrix.Matrix{Rows: x.Rows, Cols: t.width, Data: make([]float64, 0, x.Rows*t.width)}
	for i, v := range x.Data {
		c := &t.columns[i%x.Cols]
		missing := c.isMissing(v)
		for _, f := range c.functions {
			out.Data = append(out.Data, f.of(v, missing))
		}
	}
	return out
}
