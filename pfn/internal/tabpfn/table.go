package tabpfn

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Schema says which columns of a table hold ordinal codes of categories. A nil slice is false for
// every column.
type Schema struct {
	// Encoded columns held texts or categories, whose code -1 is a missing or unseen one. The
	// reference moves them to the front. It tells missing from unseen: here -1 is missing if it
	// occurs in the context, otherwise unseen.
	Encoded []bool
	// Declared columns were named as categorical by the user. The reference looks for them at
	// their old places after the move of the encoded columns, and so does this package.
	Declared []bool
}

// Sizes that decide which columns are categorical.
const (
	maxCategories   = 30  // of a declared column
	rowsToInfer     = 100 // more rows are needed to infer an undeclared one
	fewestForNumber = 4   // distinct values of a number
)

// layout is the order of the columns that the pipelines read.
type layout struct {
	columns []int  // of the table
	codes   []int  // which of these are categorical
	gaps    []bool // of all columns of the table: the code -1 is a missing value
	varying int    // how many columns of the table vary
	// Of package 8.4.0 alone: the values of categorical columns that are left, which are replaced
	// by their ordinals, and what all columns of the table are taken for.
	ordinals map[int]categories
	kinds    []kind
}

// noCategory is the code of a missing or unseen category.
const noCategory = -1

// fitLayout moves encoded columns to the front, tells categorical columns by the context rows, and
// drops those in which every row equals the first; missing equals nothing.
func fitLayout(x matrix.Matrix, s Schema) layout {
	l := layout{gaps: make([]bool, x.Cols)}
	for j := range l.gaps {
		l.gaps[j] = flag(s.Encoded, j) && slices.Contains(x.Column(nil, j), noCategory)
	}
	x = l.missing(x)
	for pass := range 2 {
		for j := range x.Cols {
			if flag(s.Encoded, j) == (pass == 0) {
				l.columns = append(l.columns, j)
			}
		}
	}
	moved := l.columns
	l.columns = nil
	for at, j := range moved {
		values := x.Column(nil, j)
		unique, _ := distinct(values)
		categorical := x.Rows > rowsToInfer && len(unique) < fewestForNumber
		if flag(s.Declared, at) {
			categorical = len(unique) <= maxCategories
		}
		if len(unique) == 1 && !math.IsNaN(unique[0]) {
			continue
		}
		if categorical {
			l.codes = append(l.codes, len(l.columns))
		}
		l.columns = append(l.columns, j)
	}
	l.varying = len(l.columns)
	return l
}

func flag(flags []bool, j int) bool { return j < len(flags) && flags[j] }

// missing turns codes of missing categories into missing values.
func (l layout) missing(x matrix.Matrix) matrix.Matrix {
	if !slices.Contains(l.gaps, true) {
		return x
	}
	x.Data = slices.Clone(x.Data)
	for k, v := range x.Data {
		if v == noCategory && l.gaps[k%x.Cols] {
			x.Data[k] = nan
		}
	}
	return x
}

// apply returns the columns that are left, in order.
func (l layout) apply(x matrix.Matrix) matrix.Matrix {
	x = l.missing(x)
	if len(l.ordinals) == 0 && slices.Equal(l.columns, indices(x.Cols)) {
		return x
	}
	x = x.Pick(l.columns)
	l.ordinal(x)
	return x
}
