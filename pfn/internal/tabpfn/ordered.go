package tabpfn

import (
	"math"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// fitOrdered returns the layout of package 8.4.0. Columns keep their order, and categorical ones
// hold the ordinals of their sorted values. Columns in which every row equals the first or is
// missing are dropped, unless there are products, because they may be factors.
func (r *Recipe) fitOrdered(x matrix.Matrix, s Schema) layout {
	l := layout{kinds: make([]kind, x.Cols), ordinals: map[int]categories{}}
	l.learnGaps(x, s)
	x = l.missing(x)
	for j := range x.Cols {
		unique, _ := distinct(x.Column(nil, j))
		l.kinds[j] = r.kindOf(unique, x.Rows, flag(s.Declared, j))
		if len(unique) > 1 {
			l.varying++
		} else if r.Products == 0 {
			continue
		}
		if l.kinds[j] == categoricalKind {
			l.ordinals[len(l.columns)] = unique
			l.codes = append(l.codes, len(l.columns))
		}
		l.columns = append(l.columns, j)
	}
	return l
}

// kind is the inferred kind of a column.
type kind int

const (
	numericKind kind = iota
	categoricalKind
	constantKind
	textKind // with more values than a category may have
)

// kindOf infers the kind of a column from its distinct values, NaN last if some are missing.
func (r *Recipe) kindOf(unique categories, rows int, declared bool) kind {
	switch {
	case declared && len(unique) <= r.MaxCategories:
		return categoricalKind
	case declared:
		return textKind
	case len(unique) == 1:
		return constantKind
	case rows > r.RowsToInfer && len(unique) < r.FewestForNumber:
		return categoricalKind
	}
	return numericKind
}

// ordinal replaces the values of categorical columns by their ordinals. A missing value stays
// missing if the context has missing values in the column. Otherwise it becomes -1, like an unseen
// value.
func (l layout) ordinal(x matrix.Matrix) {
	for k, unique := range l.ordinals {
		for i := range x.Rows {
			v := &x.Data[i*x.Cols+k]
			if code := unique.code(*v); code < 0 || !math.IsNaN(*v) {
				*v = float64(code)
			}
		}
	}
}
