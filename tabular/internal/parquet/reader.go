// Package parquet reads Parquet files. It assembles their columns page by page.
package parquet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/parquet/metadata"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
	"github.com/pfnamp/pfnamp/tabular/internal/parquetguard"
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
	reader *parquetguard.File
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
func Open(in *io.SectionReader, opt ground.Options) (_ *Reader, err error) {
	defer ground.Recover(&err)
	reader, err := parquetguard.Open(in)
	if err != nil {
		return nil, &ground.Error{Msg: "the file is not a readable Parquet file",
			Err: ground.Brief(err), Hint: ground.AgainHint}
	}
	fields, leaves := fieldsOf(reader, opt)
	for _, i := range opt.Skipped(fields) {
		leaves[i] = -1
	}
	return &Reader{reader: reader, leaves: leaves,
		sc: arrow.NewSchema(fields, keyValues(reader.MetaData())), limit: int64(opt.BatchRows)}, nil
}

// keyValues returns the metadata of the file as the metadata of a schema.
func keyValues(meta *metadata.FileMetaData) *arrow.Metadata {
	var keys, values []string
	for _, kv := range meta.KeyValueMetadata() {
		if kv != nil && kv.Value != nil && kv.Key != SchemaKey {
			keys, values = append(keys, kv.Key), append(values, *kv.Value)
		}
	}
	m := arrow.NewMetadata(keys, values)
	return &m
}

// Schema names the columns; unsupported ones have an UnsupportedType.
func (s *Reader) Schema() *arrow.Schema { return s.sc }

// Rows returns the number of rows in the footer.
func (s *Reader) Rows() int64 { return s.reader.NumRows() }

// Note returns "".
func (s *Reader) Note() string { return "" }

// Close frees the open pages.
func (s *Reader) Close() { s.columns, s.err = nil, fs.ErrClosed }

// Next returns the next rows, all of one row group.
func (s *Reader) Next(ctx context.Context) (ground.Batch, error) {
	for s.err == nil && s.left == 0 {
		if err := context.Cause(ctx); err != nil {
			return ground.Batch{}, err
		}
		s.err = s.openGroup()
	}
	var rec arrow.RecordBatch
	if s.err == nil {
		rec, s.err = s.read(ctx)
	}
	if s.err != nil {
		if ctx.Err() != nil {
			return ground.Batch{}, context.Cause(ctx)
		}
		return ground.Batch{}, s.err
	}
	b := ground.Batch{Record: rec, First: s.first}
	s.first += rec.NumRows()
	s.left -= rec.NumRows()
	return b, nil
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

// damage returns an error about a column.
func (s *Reader) damage(i int, err error) *ground.Error {
	e := &ground.Error{Row: s.first + 1, Column: s.sc.Field(i).Name, Err: ground.Brief(err),
		Msg: fmt.Sprintf("the Parquet data in row group %d is damaged", s.group)}
	advised := []any{ground.OptionIgnore, ground.ColumnValue(e.Column)}
	switch {
	case errors.Is(err, errBatchBytes):
		e.Msg, e.Err, e.Args = err.Error(), nil, advised
		e.Advice = "read fewer rows at a time, or leave the column out with %s %s"
	case errors.Is(err, errFineTime):
		e.Msg, e.Err, e.Args = err.Error(), nil, advised
		e.Advice = "store the column as another timestamp type, or leave it out with %s %s"
	}
	return e
}

// Skip skips row groups that end before a row.
func (s *Reader) Skip(rows int64) {
	for s.group < s.reader.NumRowGroups() {
		n := s.reader.Group(s.group).NumRows()
		if s.first+n > rows {
			return
		}
		s.group++
		s.first += n
	}
}

// Begins recognises files by their first bytes.
func Begins(head []byte) bool { return bytes.HasPrefix(head, []byte("PAR1")) }
