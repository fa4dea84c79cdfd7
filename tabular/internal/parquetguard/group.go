package parquetguard

import (
	"fmt"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
)

// A Group is a row group. Its columns are opened one after the other.
type Group struct {
	file *File
	rows *file.RowGroupReader
	open int64 // bytes of the pages open at a time
}

// A Column is a column of a row group with checked pages.
type Column struct {
	file.ColumnChunkReader
	// Optional reports whether values may be null.
	Optional bool
	// Pages is the number of data pages.
	Pages int
	// Bytes is the size of all pages, decompressed.
	Bytes int64
	// Shared is the size of the largest page whose values share prefixes, 0 where none do.
	Shared int64
}

// Group opens a row group, counted from 0.
func (f *File) Group(i int) *Group { return &Group{file: f, rows: f.RowGroup(i)} }

// NumRows returns the number of rows.
func (g *Group) NumRows() int64 { return g.rows.NumRows() }

// Column audits and opens the column of a leaf.
func (g *Group) Column(leaf int) (*Column, error) {
	place, err := g.chunk(leaf)
	if err != nil {
		return nil, err
	}
	pages, err := place.audit(g.file.in)
	if err != nil {
		return nil, err
	}
	reader, err := g.rows.Column(leaf)
	if err != nil {
		return nil, err
	}
	g.open += pages.largest
	return &Column{ColumnChunkReader: reader, Optional: place.optional, Pages: pages.data,
		Bytes: pages.total, Shared: pages.shared}, nil
}

// Fits refuses a group whose open columns hold more at a time than the limit: a page of each.
func (g *Group) Fits() error {
	if g.open > max(minOpenPages, 2*g.file.in.Size()) {
		return fmt.Errorf("expand to more than %d MiB", g.open>>20)
	}
	return nil
}

// chunk finds the chunk of a leaf where the library will read it, and checks that it is inside the
// file.
func (g *Group) chunk(leaf int) (chunk, error) {
	col, err := g.rows.MetaData().ColumnChunk(leaf)
	if err != nil {
		return chunk{}, err
	}
	d := g.file.MetaData().Schema.Column(leaf)
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
	size := g.file.in.Size()
	switch {
	case col.FilePath() != "":
		err = fmt.Errorf("is in another file, %q", col.FilePath())
	case col.Type() != c.kind:
		err = fmt.Errorf("is of type %s instead of %s", col.Type(), c.kind)
	case c.rows != g.rows.NumRows():
		err = fmt.Errorf("has %d values for %d rows", c.rows, g.rows.NumRows())
	case c.start < 4 || c.length < 0 || c.start > size || c.length > size-c.start:
		err = fmt.Errorf("has %d bytes at %d in a file of %d", c.length, c.start, size)
	}
	if g.file.WriterVersion().LessThan(metadata.Parquet816FixedVersion) {
		c.length += min(100, size-c.start-c.length) // some writers omit the dictionary's header
	}
	return c, err
}
