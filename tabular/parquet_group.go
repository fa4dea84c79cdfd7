package tabular

import (
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
)

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
		if open += pages.largest; open > max(minOpenPages, 2*s.file.Size()) {
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
	case c.start < 4 || c.length < 0 || c.start > s.file.Size() || c.length > s.file.Size()-c.start:
		err = fmt.Errorf("%d bytes at %d in a file of %d", c.length, c.start, s.file.Size())
	}
	if s.reader.WriterVersion().LessThan(metadata.Parquet816FixedVersion) {
		c.length += min(100, s.file.Size()-c.start-c.length) // header of the dictionary left out
	}
	return c, err
}
