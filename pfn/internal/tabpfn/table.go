package tabpfn

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Thresholds that decide which columns are categorical.
const (
	maxCategories   = 30  // of a declared column
	rowsToInfer     = 100 // more rows are needed to infer an undeclared one
	fewestForNumber = 4   // distinct values of a number
)

// layout is what the pipelines read of a table.
type layout struct {
	columns []int  // of the table, in their order
	codes   []int  // which of these columns are categorical
	varying int    // number of varying columns of the table
	kinds   []kind // inferred, of all columns of the table; for package 8.4.0 only
	read    func(table matrix.Matrix) matrix.Matrix
}

// noCategory is the code of a missing or unseen category.
const noCategory = -1

// fitLayout moves columns of codes to the front, infers categorical columns from the context rows,
// and drops those in which every row equals the first; missing equals nothing. After the move it
// looks for declared columns at their old positions, a mistake of the reference.
func fitLayout(x matrix.Matrix, categorical []bool) layout {
	l, missing := layout{}, gapsOf(x, categorical)
	x = missing(x)
	moved := slices.DeleteFunc(matrix.Upto(x.Cols), func(j int) bool { return !categorical[j] })
	for at, j := range append(moved, others(x.Cols, moved)...) {
		values := x.Column(nil, j)
		unique, _ := distinct(values)
		words := x.Rows > rowsToInfer && len(unique) < fewestForNumber
		if categorical[at] {
			words = len(unique) <= maxCategories
		}
		if len(unique) == 1 && !math.IsNaN(unique[0]) {
			continue
		}
		if words {
			l.codes = append(l.codes, len(l.columns))
		}
		l.columns = append(l.columns, j)
	}
	l.varying = len(l.columns)
	l.read = func(x matrix.Matrix) matrix.Matrix { return missing(x).Pick(l.columns) }
	return l
}

// gapsOf returns a function for the code -1. It is missing if it occurs in the context, otherwise
// unseen; the reference tells the two apart. The function turns codes of missing categories into
// missing values, and NaN into the code of an unseen category where nothing is missing in the
// context.
func gapsOf(x matrix.Matrix, categorical []bool) func(table matrix.Matrix) matrix.Matrix {
	gaps, solid := make([]bool, x.Cols), make([]bool, x.Cols)
	for j := range gaps {
		column := x.Column(nil, j)
		gaps[j] = categorical[j] && slices.Contains(column, noCategory)
		solid[j] = categorical[j] && !gaps[j] && !slices.ContainsFunc(column, math.IsNaN)
	}
	return func(x matrix.Matrix) matrix.Matrix {
		x.Data = slices.Clone(x.Data)
		for k, v := range x.Data {
			if v == noCategory && gaps[k%x.Cols] {
				x.Data[k] = nan
			} else if math.IsNaN(v) && solid[k%x.Cols] {
				x.Data[k] = noCategory
			}
		}
		return x
	}
}

// fitOrdered returns the layout of package 8.4.0. Columns keep their order, and categorical ones
// hold the ordinals of their sorted values. A missing value stays missing if the context lacks some
// in the column. Otherwise it becomes -1, like an unseen one. Columns in which every row equals the
// first or is missing are dropped, unless there are products, because they may be factors.
func (r *recipe) fitOrdered(x matrix.Matrix, categorical []bool) layout {
	l, missing := layout{kinds: make([]kind, x.Cols)}, gapsOf(x, categorical)
	x = missing(x)
	ordinals := map[int]categories{}
	for j := range x.Cols {
		unique, _ := distinct(x.Column(nil, j))
		l.kinds[j] = r.kindOf(unique, x.Rows, categorical[j])
		if len(unique) > 1 {
			l.varying++
		} else if r.Products == 0 {
			continue
		}
		if l.kinds[j] == categoricalKind {
			ordinals[len(l.columns)] = unique
			l.codes = append(l.codes, len(l.columns))
		}
		l.columns = append(l.columns, j)
	}
	l.read = func(x matrix.Matrix) matrix.Matrix {
		x = missing(x).Pick(l.columns)
		for k, unique := range ordinals {
			for i := range x.Rows {
				v := &x.Row(i)[k]
				if code := unique.code(*v); code < 0 || !math.IsNaN(*v) {
					*v = float64(code)
				}
			}
		}
		return x
	}
	return l
}

// kind is the inferred kind of a column.
type kind int

const (
	numericKind kind = iota
	categoricalKind
	otherKind // constant, or with more values than a category may have
)

// kindOf infers the kind of a column from its distinct values, NaN last if some are missing.
func (r *recipe) kindOf(unique categories, rows int, declared bool) kind {
	switch {
	case declared && len(unique) <= r.MaxCategories:
		return categoricalKind
	case declared || len(unique) == 1:
		return otherKind
	case rows > r.RowsToInfer && len(unique) < r.FewestForNumber:
		return categoricalKind
	}
	return numericKind
}
