package warning

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/pfnamp/pfnamp/tabular"
)

// UnseenCategories tells that cells of a column hold categories that the training table lacks.
type UnseenCategories struct {
	Column string
	Cells  int
	Values []tabular.UnseenValue // the first ones, in the order of their rows
	File   string                // the training table, which lacks the categories
}

// add counts the cells of both.
func (w UnseenCategories) add(other UnseenCategories) UnseenCategories {
	w.Cells += other.Cells
	all := slices.Concat(w.Values, other.Values)
	slices.SortStableFunc(all, func(a, b tabular.UnseenValue) int { return cmp.Compare(a.Row, b.Row) })
	w.Values = nil
	for _, v := range all {
		if len(w.Values) < tabular.MostUnseen && !slices.ContainsFunc(w.Values,
			func(own tabular.UnseenValue) bool { return own.Text == v.Text }) {
			w.Values = append(w.Values, v)
		}
	}
	return w
}

// String implements [Warning].
func (w UnseenCategories) String() string {
	text := fmt.Sprintf("column %q: %s with a category that %s does not have, treated as unknown",
		w.Column, count(w.Cells, "cell"), w.File)
	for i, v := range w.Values {
		text += []string{": ", ", ", ", "}[i] + strconv.Quote(v.Text)
		if v.Line > 0 {
			text += fmt.Sprintf(" (line %d", v.Line)
		} else {
			text += fmt.Sprintf(" (row %d", v.Row)
		}
		if v.Near != "" {
			text += fmt.Sprintf(", nearest %q", v.Near)
		}
		text += ")"
	}
	return text
}

// OutsideRange tells that a column of query rows has values that the training table does not reach,
// where a network extrapolates.
type OutsideRange struct {
	Column      string
	Cells, Rows int    // outside, and of all
	Lo, Hi      string // range of the training table, as Column.Text writes it
	File        string // the training table
}

// String implements [Warning].
func (w OutsideRange) String() string {
	if w.Lo == w.Hi {
		return fmt.Sprintf("column %q: %d of %s (%.0f %%) have another value than the only one of %s, "+
			"%s: the model learns nothing from this column", w.Column, w.Cells, count(w.Rows, "row"),
			100*float64(w.Cells)/float64(w.Rows), w.File, w.Lo)
	}
	return fmt.Sprintf("column %q: %d of %s (%.0f %%) outside the range of %s, %s to %s: the network "+
		"extrapolates there", w.Column, w.Cells, count(w.Rows, "row"),
		100*float64(w.Cells)/float64(w.Rows), w.File, w.Lo, w.Hi)
}

// KnownRows tells that query rows are rows of the context, so that they are no test of a model.
type KnownRows struct {
	Known, Rows int
	File        string // the training table
}

// String implements [Warning].
func (w KnownRows) String() string {
	have := "have"
	if w.Known == 1 {
		have = "has"
	}
	return fmt.Sprintf("%d of %s %s the features of a row of %s: their predictions do not show "+
		"how well the model predicts new rows", w.Known, count(w.Rows, "row"), have, w.File)
}
