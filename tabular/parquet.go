package tabular

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
)

// Bounds on the bytes of strings in a batch: batches have fewer rows than asked for where rows
// are long, and a batch that is far beyond the estimate is refused.
const (
	aimStringBytes = 16 << 20
	maxStringBytes = 64 << 20
)

// A parquetSource reads a Parquet file batch by batch, one row group after the other and one
// column after the other, on the goroutine of the caller.
type parquetSource struct {
	name   string
	file   *os.File
	size   int64
	reader *file.Reader
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
func openParquet(path string, opt ReadOptions) (_ source, err error) {
	if err := registerCodecs(); err != nil {
		return nil, err
	}
	f, size, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	defer recoverDamage(path, &err)
	meta, err := readParquetFooter(f, size)
	var reader *file.Reader
	if err == nil {
		reader, err = newParquetReader(f, size, meta)
	}
	if err != nil {
		return nil, &Error{File: path, Msg: "not a readable Parquet file", Err: err}
	}
	fields, leaves := parquetFields(meta)
	return &parquetSource{name: path, file: f, size: size, reader: reader, leaves: leaves,
		sc: arrow.NewSchema(fields, keyValues(meta.FileMetaData)), limit: int64(opt.batchRows())}, nil
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
func (s *parquetSource) rows() int64 {
	sum := int64(0)
	for _, group := range s.reader.MetaData().GetRowGroups() {
		sum += group.GetNumRows()
	}
	return sum
}

// close closes the file.
func (s *parquetSource) close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	s.file, s.columns = nil, nil
	return err
}

// next returns the next rows, which are of one row group.
func (s *parquetSource) next(ctx context.Context) (*Batch, error) {
	for s.err == nil && s.left == 0 {
		if err := ctx.Err(); err != nil {
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
			return nil, ctx.Err()
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
		if err := ctx.Err(); err != nil {
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
			err = fmt.Errorf("%v", p)
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
	e := &Error{File: s.name, Row: s.first + 1, Column: s.sc.Field(i).Name, Err: err,
		Msg: fmt.Sprintf("damaged Parquet data in row group %d", s.group)}
	if errors.Is(err, errBatchBytes) {
		e.Msg, e.Err = err.Error(), nil
		e.Hint = "read fewer rows at a time"
	}
	return e
}

// openGroup opens the next row group; io.EOF after the last one.
func (s *parquetSource) openGroup() (err error) {
	if s.group >= s.reader.NumRowGroups() {
		return io.EOF
	}
	defer recoverDamage(s.name, &err)
	group := s.reader.RowGroup(s.group)
	s.group++
	s.left = group.NumRows()
	if s.left == 0 {
		return nil
	}
	columns := make([]*parquetColumn, len(s.leaves))
	open, text := int64(0), int64(0)
	for i, leaf := range s.leaves {
		if leaf < 0 {
			continue
		}
		c, pages, err := s.openColumn(group, i, leaf)
		if err != nil {
			return s.damage(i, err)
		}
		if open += pages.largest; open > max(minOpenPages, 2*s.size) {
			return &Error{File: s.name, Msg: fmt.Sprintf(
				"the pages of row group %d expand to more than %d MiB", s.group, open>>20)}
		}
		columns[i] = c
		if c.reader.Type() == parquet.Types.ByteArray {
			text += pages.total
		}
	}
	s.columns = columns
	s.fit = min(s.limit, max(1, aimStringBytes/max(1, text/s.left)))
	return nil
}

// openColumn audits and opens the chunk of a column.
func (s *parquetSource) openColumn(group *file.RowGroupReader, i, leaf int) (
	*parquetColumn, chunkPages, error,
) {
	place, err := s.chunk(group, leaf)
	if err != nil {
		return nil, chunkPages{}, err
	}
	pages, err := place.audit(s.file)
	if err != nil {
		return nil, pages, err
	}
	reader, err := group.Column(leaf)
	if err != nil {
		return nil, pages, err
	}
	c := &parquetColumn{reader: reader, typ: s.sc.Field(i).Type, pages: pages.data,
		optional: place.optional, step: maxStep}
	if pages.shared > 0 {
		c.step = max(1, sharedBytes/pages.shared)
	}
	return c, pages, nil
}

// chunk finds the chunk of a leaf where the library will read it, and checks that it is there.
func (s *parquetSource) chunk(group *file.RowGroupReader, leaf int) (chunk, error) {
	col, err := group.MetaData().ColumnChunk(leaf)
	if err != nil {
		return chunk{}, err
	}
	d := s.reader.MetaData().Schema.Column(leaf)
	c := chunk{start: col.DataPageOffset(), length: col.TotalCompressedSize(),
		rows: col.NumValues(), codec: col.Compression(), kind: d.PhysicalType(),
		optional: d.MaxDefinitionLevel() > 0}
	if at := col.DictionaryPageOffset(); col.HasDictionaryPage() && at > 0 && at < c.start {
		c.start = at
	}
	switch c.kind {
	case parquet.Types.Int32, parquet.Types.Float, parquet.Types.ByteArray:
		c.width = 4
	case parquet.Types.Int64, parquet.Types.Double:
		c.width = 8
	case parquet.Types.Int96:
		c.width = parquet.Int96SizeBytes
	case parquet.Types.FixedLenByteArray:
		c.width = d.TypeLength()
	}
	switch {
	case col.FilePath() != "":
		err = fmt.Errorf("is kept in another file, %q", col.FilePath())
	case col.Type() != c.kind:
		err = fmt.Errorf("is of type %s in place of %s", col.Type(), c.kind)
	case c.rows != group.NumRows():
		err = fmt.Errorf("%d values for %d rows", c.rows, group.NumRows())
	case c.start < 4 || c.length < 0 || c.start > s.size || c.length > s.size-c.start:
		err = fmt.Errorf("%d bytes at %d in a file of %d", c.length, c.start, s.size)
	}
	if s.reader.WriterVersion().LessThan(metadata.Parquet816FixedVersion) {
		c.length += min(100, s.size-c.start-c.length) // header of the dictionary left out
	}
	return c, err
}
