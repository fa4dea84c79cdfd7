package tabular

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/parquet/metadata"

	"github.com/pfnamp/pfnamp/tabular/internal/parquetguard"
)

// Bounds on the bytes of strings in a batch: batches have fewer rows than asked for where rows
// are long, and a batch that is far beyond the estimate is refused.
const (
	aimStringBytes = 16 << 20
	maxStringBytes = 64 << 20
)

// parquetFormat is Apache Parquet.
func parquetFormat() fileFormat {
	return fileFormat{format: Parquet, name: "parquet", also: []string{"pq"}, ends: true, keeps: true,
		whole: true,
		files: []fileName{{extension: ".parquet", media: "application/vnd.apache.parquet"},
			{extension: ".pq"}},
		begins: func(head []byte) bool { return bytes.HasPrefix(head, magicParquet) },
		open:   openParquet, create: newParquetEncoder}
}

// A parquetSource reads a Parquet file batch by batch, one row group after the other and one
// column after the other, on the goroutine of the caller.
type parquetSource struct {
	name   string
	reader *parquetguard.File
	sc     *arrow.Schema
	leaves []int // of the columns, -1 where one is not represented
	limit  int64 // rows of a batch
	fit    int64 // rows of a batch in the open row group, at most limit

	group   int   // row groups opened so far
	left    int64 // rows left in the open one
	columns []*parquetColumn
	first   int64 // rows handed out so far
	err     error // sticky
}

// openParquet opens a Parquet file.
func openParquet(in input, name string, opt ReadOptions) (_ source, err error) {
	defer recoverDamage(name, &err)
	reader, err := parquetguard.Open(in.file)
	if err != nil {
		return nil, &Error{File: name, Msg: "not a readable Parquet file", Err: brief(err)}
	}
	fields, leaves := parquetFields(reader)
	for _, i := range skipFields(fields, opt.Skip) {
		leaves[i] = -1
	}
	return &parquetSource{name: name, reader: reader, leaves: leaves,
		sc: arrow.NewSchema(fields, keyValues(reader.MetaData())), limit: int64(opt.batchRows())}, nil
}

// keyValues is the metadata of the file as the metadata of a schema.
func keyValues(meta *metadata.FileMetaData) *arrow.Metadata {
	var keys, values []string
	for _, kv := range meta.KeyValueMetadata() {
		if kv != nil && kv.Value != nil && kv.Key != arrowSchemaKey {
			keys, values = append(keys, kv.Key), append(values, *kv.Value)
		}
	}
	m := arrow.NewMetadata(keys, values)
	return &m
}

// schema names the columns; the ones that cannot be represented have an UnsupportedType.
func (s *parquetSource) schema() *arrow.Schema { return s.sc }

// rows is the number of rows by the footer.
func (s *parquetSource) rows() int64 { return s.reader.NumRows() }

// end has nothing to say.
func (s *parquetSource) end() string { return "" }

// close frees the pages that are open.
func (s *parquetSource) close() { s.columns, s.err = nil, fs.ErrClosed }

// next returns the next rows, which are of one row group.
func (s *parquetSource) next(ctx context.Context) (*Batch, error) {
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
	b := &Batch{File: s.name, Record: rec, First: s.first}
	s.first += rec.NumRows()
	s.left -= rec.NumRows()
	return b, nil
}

// read reads a batch of the open row group.
func (s *parquetSource) read(ctx context.Context) (rec arrow.RecordBatch, err error) {
	defer recoverDamage(s.name, &err)
	n := int(min(s.fit, s.left))
	budget := int64(maxStringBytes)
	arrays := make([]arrow.Array, len(s.columns))
	for i, c := range s.columns {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		if c == nil {
			t := s.sc.Field(i).Type.(*UnsupportedType)
			arrays[i] = newUnsupportedArray(t, n)
			continue
		}
		if arrays[i], err = s.readColumn(c, i, n, &budget); err != nil {
			return nil, err
		}
	}
	return array.NewRecordBatch(s.sc, arrays, int64(n)), nil
}

// readColumn reads n rows of a column; what goes wrong is an *Error that names the column.
func (s *parquetSource) readColumn(c *parquetColumn, i, n int, budget *int64) (
	a arrow.Array, err error,
) {
	defer func() {
		if p := recover(); p != nil {
			err = brief(p)
		}
		if err != nil {
			err = s.damage(i, err)
		}
	}()
	c.budget = budget
	return c.read(n)
}

// damage is an error about a column.
func (s *parquetSource) damage(i int, err error) *Error {
	e := &Error{File: s.name, Row: s.first + 1, Column: s.sc.Field(i).Name, Err: brief(err),
		Msg: fmt.Sprintf("damaged Parquet data in row group %d", s.group)}
	switch {
	case errors.Is(err, errBatchBytes):
		e.Msg, e.Err = err.Error(), nil
		return e.advise("read fewer rows at a time, or leave it out with %s %s", OptionIgnore,
			columnValue(e.Column))
	case errors.Is(err, errFineTime):
		e.Msg, e.Err = err.Error(), nil
		return e.advise("store it as a timestamp of another type, or leave it out with %s %s",
			OptionIgnore,
			columnValue(e.Column))
	}
	return e
}
