package warning

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp/tabular"
)

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

// String implements [Warning].
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

// add counts the cells of both.
func (w MissingCells) add(other MissingCells) MissingCells {
	w.Columns = slices.Clone(w.Columns)
	for _, c := range other.Columns {
		at := slices.IndexFunc(w.Columns, func(own ColumnCells) bool { return own.Column == c.Column })
		if at < 0 {
			w.Columns = append(w.Columns, c)
		} else {
			w.Columns[at].Cells += c.Cells
		}
	}
	w.Order()
	return w
}

// Order sorts the columns by name, so that they do not depend on which rows came first.
func (w MissingCells) Order() {
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
		lacking.Order()
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
