package tabular

import (
	"context"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
)

// Partition splits a table into the rows that have a value in a column and the rows that do not. No
// value means null, NaN, and in text files the texts in ReadOptions.NA. Rows stay in order, and
// errors about them name their positions in the file. Partition fails with an *Error if the column
// does not exist or has a type without plain values.
func (t *Table) Partition(column string) (with, without *Table, err error) {
	at := fieldIndex(t.Schema, column)
	if at < 0 {
		return nil, nil, NoColumn(t.File, column, t.Names())
	}
	s := &Schema{na: t.na}
	if s.na == nil {
		s.na = newNA(nil)
	}
	with, without = t.emptied(), t.emptied()
	for _, b := range t.Batches {
		view, err := s.view(b, at)
		if err != nil {
			return nil, nil, err
		}
		if err := with.take(b, func(row int) bool { return !view.missing(row) }); err != nil {
			return nil, nil, err
		}
		if err := without.take(b, view.missing); err != nil {
			return nil, nil, err
		}
	}
	return with, without, nil
}

// emptied returns the table without rows.
func (t *Table) emptied() *Table {
	empty := *t
	empty.Batches, empty.Rows = nil, 0
	return &empty
}

// take appends the wanted rows of a batch.
func (t *Table) take(b *Batch, wanted func(row int) bool) error {
	taken := &Batch{File: b.File}
	var runs []arrow.RecordBatch
	for row := 0; row < b.Rows(); {
		from := row
		for row < b.Rows() && wanted(row) {
			taken.places = append(taken.places, b.index(row))
			if b.Lines != nil {
				taken.Lines = append(taken.Lines, b.Lines[row])
			}
			row++
		}
		if row > from {
			runs = append(runs, b.Record.NewSlice(int64(from), int64(row)))
		} else {
			row++
		}
	}
	if len(runs) == 0 {
		return nil
	}
	for _, column := range b.numbers {
		var kept []bool
		for row := range column {
			if wanted(row) {
				kept = append(kept, column[row])
			}
		}
		taken.numbers = append(taken.numbers, kept)
	}
	taken.First = t.Rows
	record, err := concatenate(b.Record.Schema(), runs, int64(len(taken.places)))
	if err != nil {
		return locate(b.File, err)
	}
	taken.Record = record
	t.Batches = append(t.Batches, taken)
	t.Rows += record.NumRows()
	return nil
}

// Reader returns a reader of a table in memory, in its batches.
func (t *Table) Reader() *Reader {
	return &Reader{file: t.File, na: t.na, decimal: t.decimal, notes: t.Notes,
		maxBytes: DefaultMaxBytes,
		src:      &tableSource{table: t}}
}

// tableSource returns the batches of a table.
type tableSource struct {
	table *Table
	at    int
}

func (s *tableSource) schema() *arrow.Schema { return s.table.Schema }

func (s *tableSource) rows() int64 { return s.table.Rows }

func (s *tableSource) end() string { return "" }

func (s *tableSource) close() {}

// next returns the next batch.
func (s *tableSource) next(context.Context) (*Batch, error) {
	if s.at == len(s.table.Batches) {
		return nil, io.EOF
	}
	s.at++
	return s.table.Batches[s.at-1], nil
}
