package warning

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pfnamp/pfnamp/tabular"
)

// UnseenCategories tells that cells of a column hold categories that the training table lacks.
type UnseenCategories struct {
	Column string
	Cells  int
	Values []tabular.UnseenValue // the first ones, in the order of their rows
	File   string                // the training table, which lacks the categories
}

// with counts the cells of both.
func (w UnseenCategories) with(more Warning) Warning {
	other := more.(UnseenCategories)
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

// place puts unseen categories before missing cells, in the order of their columns.
func (w UnseenCategories) place() string { return "1" + w.Column }

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

func (w KnownRows) String() string {
	have := "have"
	if w.Known == 1 {
		have = "has"
	}
	return fmt.Sprintf("%d of %s %s the features of a row of %s: their predictions do not show "+
		"how well the model predicts new rows", w.Known, count(w.Rows, "row"), have, w.File)
}

// MissingCells tells that query rows lack cells of columns that are complete in the training table,
// so that the network has not read what a missing cell means.
type MissingCells struct {
	Columns []ColumnCells // by name
	// the answers are means over what the cells may hold; else the model's own reading
	Averaged bool
	File     string // the training table
}

// ColumnCells are some cells of a column.
type ColumnCells struct {
	Column string
	Cells  int
}

func (w MissingCells) String() string {
	const most = 5
	var listed []string
	for _, c := range w.Columns[:min(most, len(w.Columns))] {
		listed = append(listed, fmt.Sprintf("%q (%s)", c.Column, count(c.Cells, "row")))
	}
	text := strings.Join(listed, ", ")
	if more := len(w.Columns) - len(listed); more > 0 {
		text += " and " + count(more, "other")
	}
	how := "the answers average over their possible values"
	if !w.Averaged {
		how = "the model reads a constant there, so intervals are too narrow"
	}
	return fmt.Sprintf("missing cells in columns that are complete in %s: %s; %s", w.File, text, how)
}

// with counts the cells of both.
func (w MissingCells) with(more Warning) Warning {
	w.Columns = slices.Clone(w.Columns)
	for _, c := range more.(MissingCells).Columns {
		at := slices.IndexFunc(w.Columns, func(own ColumnCells) bool { return own.Column == c.Column })
		if at < 0 {
			w.Columns = append(w.Columns, c)
		} else {
			w.Columns[at].Cells += c.Cells
		}
	}
	w.order()
	return w
}

// place puts missing cells after unseen categories.
func (MissingCells) place() string { return "2" }

// order sorts the columns by name, so that they do not depend on which rows came first.
func (w MissingCells) order() {
	slices.SortFunc(w.Columns, func(a, b ColumnCells) int {
		return strings.Compare(a.Column, b.Column)
	})
}

// CellsOf tells which cells of encoded rows have a category that the training table lacks and which
// are missing in columns that it has complete; averaged is that of [MissingCells].
func CellsOf(s *tabular.Schema, rows tabular.Features, averaged bool) (all []Warning) {
	lacking := MissingCells{Averaged: averaged, File: s.File}
	for j, c := range s.Encoded() {
		if c.Part != "" {
			break
		}
		n := rows.Unseen[c.Name]
		if n > 0 {
			all = append(all, UnseenCategories{Column: c.Name, Cells: n,
				Values: rows.UnseenValues[c.Name], File: s.File})
		}
		n = missingCells(rows, j, len(c.Categories) > 0) - n
		if n > 0 && c.Missing == 0 {
			lacking.Columns = append(lacking.Columns, ColumnCells{Column: c.Name, Cells: n})
		}
	}
	if lacking.Columns != nil {
		lacking.order()
		all = append(all, lacking)
	}
	return all
}

// missingCells counts the cells of a feature that are missing or unseen.
func missingCells(x tabular.Features, column int, categorical bool) (n int) {
	for i := range x.Rows {
		if v := x.Data[i*x.Cols+column]; math.IsNaN(v) || categorical && v < 0 {
			n++
		}
	}
	return n
}

// Odd tells what is odd about query rows. It counts cells outside the range of the training table,
// by feature, and rows that are rows of the context.
//
// Of n training rows and one more from the same distribution, the new one is the smallest or
// largest with probability at most 2/(n+1). An OutsideRange tells of more than twice as many rows,
// and more than a twentieth. KnownRows tells of at least half of the rows.
func Odd(s *tabular.Schema, outside map[string]int, known, rows int) []Warning {
	if rows == 0 {
		return nil
	}
	var warnings []Warning
	usual := max(0.05, 4/float64(s.Rows+1))
	for i := range s.Columns {
		c := &s.Columns[i]
		if n := outside[c.Name]; float64(n) > usual*float64(rows) {
			warnings = append(warnings, OutsideRange{Column: c.Name, Cells: n, Rows: rows,
				Lo: c.Text(c.Lo), Hi: c.Text(c.Hi), File: s.File})
		}
	}
	if known > 0 && 2*known >= rows {
		warnings = append(warnings, KnownRows{Known: known, Rows: rows, File: s.File})
	}
	return warnings
}

// aboutCells is a warning about cells. Add sums those with the same place.
type aboutCells interface {
	place() string
	with(more Warning) Warning
}

// placeOf returns the place of a warning about cells, and "" for others, which come first.
func placeOf(w Warning) string {
	if of, ok := w.(aboutCells); ok {
		return of.place()
	}
	return ""
}

// Add adds the warnings of an answer to those of others about the same table: cells of a column
// are counted together.
func Add(sum, more []Warning) []Warning {
	for _, w := range more {
		at := slices.IndexFunc(sum, func(s Warning) bool { return placeOf(s) == placeOf(w) })
		if _, ok := w.(aboutCells); ok && at >= 0 {
			sum[at] = sum[at].(aboutCells).with(w)
		} else {
			sum = append(sum, w)
		}
	}
	slices.SortStableFunc(sum, func(a, b Warning) int {
		return strings.Compare(placeOf(a), placeOf(b))
	})
	return sum
}
