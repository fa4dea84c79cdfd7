package tabular

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// DefaultBatchRows is the number of rows in a batch if ReadOptions.BatchRows is zero.
const DefaultBatchRows = 4096

// Batch holds rows of one file: File, the columns in Record, and where the rows are in the file.
type Batch = ground.Batch

// Table is a whole file in memory, as a list of batches.
type Table struct {
	// File is the name of the file, as given to ReadAll.
	File string
	// Schema names the columns, in the order of the file.
	Schema *arrow.Schema
	// Batches holds the rows, in order.
	Batches []*Batch
	// Rows is the number of rows of all batches.
	Rows int64
	// Notes are notes about the file, as in Reader.Notes.
	Notes []string
	// na is the set of texts that stand for a missing value; nil stands for DefaultNA.
	na *naSet
	// decimal comes from ReadOptions.Decimal.
	decimal byte
}

// Names lists the columns in the order of the file.
func (t *Table) Names() []string { return ground.FieldNames(t.Schema) }

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
	return nil, e.Advise("check the texts for missing values in %s", OptionNA)
}

// Where returns the rows of a table that are wanted, by their places in it from 0, in their order.
func (t *Table) Where(wanted func(row int) bool) (*Table, error) {
	some := *t
	some.Batches, some.Rows = nil, 0
	first := 0
	for _, b := range t.Batches {
		taken := &Batch{File: b.File, Decimal: b.Decimal, First: some.Rows}
		if b.Numbers != nil {
			taken.Numbers = make([][]bool, len(b.Numbers))
		}
		var runs []arrow.RecordBatch
		for row := 0; row < b.Rows(); row++ {
			from := row
			for row < b.Rows() && wanted(first+row) {
				taken.Places = append(taken.Places, b.Index(row))
				row++
			}
			if row > from {
				run := slice(b, b.First+int64(from), b.First+int64(row))
				runs, taken.Lines = append(runs, run.Record), append(taken.Lines, run.Lines...)
				for j, numbers := range run.Numbers {
					taken.Numbers[j] = append(taken.Numbers[j], numbers...)
				}
			}
		}
		first += b.Rows()
		if len(runs) == 0 {
			continue
		}
		var err error
		taken.Record, err = ground.Concatenate(t.Schema, runs, int64(len(taken.Places)))
		if err != nil {
			return nil, ground.Locate(b.File, err)
		}
		some.Batches = append(some.Batches, taken)
		some.Rows += int64(taken.Rows())
	}
	return &some, nil
}

// Repeats returns the error for a table with copies of rows; first is the place of the first copy.
func (t *Table) Repeats(first, copies int) *Error {
	i := 0
	for ; first >= t.Batches[i].Rows(); i++ {
		first -= t.Batches[i].Rows()
	}
	e := t.Batches[i].ErrorAt(first, "", "the row repeats another one, features and target, like %d "+
		"of %d rows: far more than chance explains", copies, t.Rows)
	return e.Advise("remove the copies, or count them with %s", OptionRepeated)
}

// Positions returns the positions of the rows in the file, from 0.
func (t *Table) Positions() []int {
	var at []int
	for _, b := range t.Batches {
		for row := range b.Rows() {
			at = append(at, int(b.Index(row)))
		}
	}
	return at
}

// MissingText returns the first text in a column that means a missing value and is not empty, such
// as NA, or "" if there is none.
func (t *Table) MissingText(column string) string {
	_, text, _ := t.missing(column)
	return text
}

func (t *Table) missing(column string) (of []bool, text string, err error) {
	cells, s := missingCells{}, &Schema{na: cmp.Or(t.na, newNA(nil))}
	for _, b := range t.Batches {
		view, err := s.column(b, column)
		if err != nil {
			return nil, "", err
		}
		for row := range b.Rows() {
			of = append(of, view.missing(row))
		}
		cells.addAll(b, view)
	}
	return of, cells.text, nil
}

// Partition splits a table into the rows that have a value in a column and the rows that do not. No
// value means null, NaN, and in text files the texts in ReadOptions.NA. Rows stay in order, and
// errors about them name their positions in the file. Partition fails with an *Error if the column
// does not exist or has a type without plain values.
func (t *Table) Partition(column string) (with, without *Table, err error) {
	if ground.FieldIndex(t.Schema, column) < 0 {
		return nil, nil, NoColumn(t.File, column, t.Names())
	}
	missing, _, err := t.missing(column)
	if err != nil {
		return nil, nil, err
	}
	if with, err = t.Where(func(row int) bool { return !missing[row] }); err == nil {
		without, err = t.Where(func(row int) bool { return missing[row] })
	}
	return with, without, err
}

// Times reads a column of dates, times or numbers that orders the rows: days or seconds since 1970,
// or the numbers. It fails with an *Error if the column does not exist, holds other values, or has
// a missing cell.
func (t *Table) Times(column string) ([]float64, error) {
	s, err := Learn(t, SchemaOptions{Dates: NumberDates, KeepFeatures: []string{column},
		Ignore: slices.DeleteFunc(t.Names(), func(name string) bool { return name == column })})
	if err != nil {
		return nil, err
	}
	if kind := s.Columns[0].Kind; kind != Numeric && kind != Date && kind != Timestamp {
		return nil, &Error{File: t.File, Column: column,
			Msg:  "the column is " + kind.String() + ", so it does not order the rows in time",
			Hint: "name a column of dates, times or numbers; write dates as 2024-01-31"}
	}
	f, _, err := s.Training(t)
	if err != nil {
		return nil, err
	}
	for i, v := range f.Data {
		if math.IsNaN(v) {
			return nil, &Error{File: t.File, Row: int64(i + 1), Column: column,
				Msg:  "the cell is empty, so the time of the row is unknown",
				Hint: "fill in the cell or remove the row"}
		}
	}
	return f.Data, nil
}
