package parquet

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/parquet"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// Limits on the bytes of strings in a batch. Batches have fewer rows than requested if rows are
// long. A batch far beyond the estimate is refused.
const (
	aimStringBytes = 16 << 20
	maxStringBytes = 64 << 20
)

// A Reader reads a Parquet file batch by batch, one row group after the other and one
// columnReader after the other, on the goroutine of the caller.
type Reader struct {
	ground.Defaults
	reader *checkedFile
	sc     *arrow.Schema
	leaves []int // leaves of the columns, -1 for unsupported ones
	limit  int64 // rows of a batch
	fit    int64 // rows of a batch in the open row group, at most limit

	group   int   // row groups opened so far
	left    int64 // rows left in the open one
	columns []*columnReader
	first   int64 // rows handed out so far
	err     error // sticky
}

// Open opens a Parquet file.
func Open(in ground.Input, opt ground.Options) (_ ground.Source, err error) {
	defer ground.Recover(&err)
	reader, err := openChecked(in.File)
	if err != nil {
		return nil, ground.Blame("the file is not a readable Parquet file", ground.AgainHint, err)
	}
	fields, leaves := fieldsOf(reader, opt)
	for _, i := range opt.Skipped(fields) {
		leaves[i] = -1
	}
	pairs := reader.MetaData().KeyValueMetadata()
	meta := arrow.NewMetadata(pairs.Keys(), pairs.Values())
	return &Reader{reader: reader, leaves: leaves, sc: arrow.NewSchema(fields, &meta),
		limit: int64(opt.BatchRows)}, nil
}

// Schema names the columns; unsupported ones have an UnsupportedType.
func (s *Reader) Schema() *arrow.Schema { return s.sc }

// Rows returns the number of rows in the footer.
func (s *Reader) Rows() int64 { return s.reader.NumRows() }

// Next returns the next rows, all of one row group.
func (s *Reader) Next(ctx context.Context) (*ground.Batch, error) {
	for s.err == nil && s.left == 0 {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		s.err = s.openGroup()
	}
	var rec arrow.RecordBatch
	if s.err == nil {
		rec, s.err = s.read(ctx)
	}
	if s.err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, s.err
	}
	b := &ground.Batch{Record: rec, First: s.first}
	s.first += rec.NumRows()
	s.left -= rec.NumRows()
	return b, nil
}

// openGroup opens the next row group; io.EOF after the last one. It refuses a group whose open
// columns hold more at a time than the limit: a page of each.
func (s *Reader) openGroup() (err error) {
	if s.group >= s.reader.NumRowGroups() {
		return io.EOF
	}
	defer ground.Recover(&err)
	group := s.reader.RowGroup(s.group)
	s.group++
	s.left = group.NumRows()
	if s.left == 0 {
		return nil
	}
	s.columns = make([]*columnReader, len(s.leaves))
	text, open := int64(0), int64(0)
	for i, leaf := range s.leaves {
		if leaf < 0 {
			continue
		}
		column, pages, err := s.reader.column(group, leaf)
		if err != nil {
			return s.damage(i, err)
		}
		if open += pages.largest; open > max(minOpenPages, 2*s.reader.in.Size()) {
			return &ground.Error{Msg: fmt.Sprintf("the pages of row group %d expand to more than %d MiB",
				s.group, open>>20)}
		}
		column.typ = s.sc.Field(i).Type
		s.columns[i] = column
		if column.reader.Type() == parquet.Types.ByteArray {
			text += pages.total
		}
	}
	s.fit = min(s.limit, max(1, aimStringBytes/max(1, text/s.left)))
	return nil
}

// read reads a batch of the open row group.
func (s *Reader) read(ctx context.Context) (rec arrow.RecordBatch, err error) {
	defer ground.Recover(&err)
	n := int(min(s.fit, s.left))
	budget := int64(maxStringBytes)
	arrays := make([]arrow.Array, len(s.columns))
	for i, c := range s.columns {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		if c == nil {
			arrays[i] = ground.Absent(s.sc.Field(i).Type, n)
			continue
		}
		if arrays[i], err = s.readColumn(c, i, n, &budget); err != nil {
			return nil, err
		}
	}
	return array.NewRecordBatch(s.sc, arrays, int64(n)), nil
}

// readColumn reads n rows of a column. It fails with a *ground.Error that names the column.
func (s *Reader) readColumn(c *columnReader, i, n int, budget *int64) (
	a arrow.Array, err error,
) {
	defer func() {
		if p := recover(); p != nil {
			err = ground.Brief(p)
		}
		if err != nil {
			err = s.damage(i, err)
		}
	}()
	c.budget = budget
	return c.read(n)
}

func (s *Reader) damage(i int, err error) *ground.Error {
	e := &ground.Error{Row: s.first + 1, Column: s.sc.Field(i).Name, Err: ground.Brief(err),
		Msg: fmt.Sprintf("the Parquet data in row group %d is damaged", s.group)}
	advice := "read fewer rows at a time, or leave the column out with %s %s"
	switch {
	case errors.Is(err, errFineTime):
		advice = "store the column as another timestamp type, or leave it out with %s %s"
	case !errors.Is(err, errBatchBytes):
		return e
	}
	e.Msg, e.Err = err.Error(), nil
	return e.Advise(advice, ground.OptionIgnore, ground.ColumnValue(e.Column))
}

// Skip skips row groups that end before a row.
func (s *Reader) Skip(rows int64) {
	for s.group < s.reader.NumRowGroups() {
		n := s.reader.RowGroup(s.group).NumRows()
		if s.first+n > rows {
			return
		}
		s.group++
		s.first += n
	}
}
