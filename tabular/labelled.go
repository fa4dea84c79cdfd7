package tabular

import (
	"fmt"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// Labelled returns the rows of a table that have a value in a column, in their order; if all have
// one, it returns the table itself. It fails with an *Error if no row has a value, and like
// Partition.
func (t *Table) Labelled(column string) (*Table, error) {
	with, without, err := t.Partition(column)
	switch {
	case err != nil:
		return nil, err
	case without.Rows == 0:
		return t, nil
	case with.Rows > 0:
		return with, nil
	}
	e := &Error{File: t.File, Column: column, Msg: fmt.Sprintf(
		"none of %s has a value, so there is nothing to learn", ground.Count(int(t.Rows), "row"))}
	return nil, e.advise("check the texts for missing values in %s", OptionNA)
}

// Where returns the rows of a table that are wanted, by their places in it from 0, in their order.
func (t *Table) Where(wanted func(row int) bool) (*Table, error) {
	some := t.emptied()
	for first, i := 0, 0; i < len(t.Batches); i++ {
		b := t.Batches[i]
		if err := some.take(b, func(row int) bool { return wanted(first + row) }); err != nil {
			return nil, err
		}
		first += b.Rows()
	}
	return some, nil
}

// Repeats returns the error for a table with copies of rows; first is the place of the first copy.
func (t *Table) Repeats(first, copies int) *Error {
	i := 0
	for ; first >= t.Batches[i].Rows(); i++ {
		first -= t.Batches[i].Rows()
	}
	e := t.Batches[i].errorAt(first, "", "the row repeats another one, features and target, like %d "+
		"of %d rows: far more than chance explains", copies, t.Rows)
	return e.advise("remove the copies, or count them with %s", OptionRepeated)
}

// Positions returns the positions of the rows in the file, from 0.
func (t *Table) Positions() []int {
	var at []int
	for _, b := range t.Batches {
		for row := range b.Rows() {
			at = append(at, int(b.index(row)))
		}
	}
	return at
}

// MissingText returns the first text in a column that means a missing value and is not empty, such
// as NA, or "" if there is none.
func (t *Table) MissingText(column string) string {
	s, at := &Schema{na: t.na}, fieldIndex(t.Schema, column)
	if at < 0 || t.na == nil {
		return ""
	}
	cells := missingCells{}
	for _, b := range t.Batches {
		view, err := s.view(b, at)
		if err != nil {
			return ""
		}
		for row := 0; row < b.Rows() && cells.text == ""; row++ {
			if view.missing(row) {
				cells.note(b, view, row)
			}
		}
	}
	return cells.text
}
