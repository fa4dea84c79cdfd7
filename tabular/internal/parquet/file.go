package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// A checkedFile is a Parquet file whose footer is checked.
type checkedFile struct {
	*file.Reader
	in *io.SectionReader
}

// openChecked opens a file and checks its footer. Pages are read when they are needed, within the
// limits.
func openChecked(in *io.SectionReader) (*checkedFile, error) {
	if err := registerCodecs(); err != nil {
		return nil, err
	}
	meta, err := readFooter(in)
	if err != nil {
		return nil, err
	}
	props := parquet.NewReaderProperties(nil)
	props.BufferedStreamEnabled = true
	props.BufferSize = 64 << 10
	props.MaxUncompressedPageSize = maxPage
	r, err := file.NewParquetReader(in, file.WithReadProps(props), file.WithMetadata(meta))
	if err != nil {
		return nil, err
	}
	return &checkedFile{r, in}, nil
}

// column audits and opens the column of a leaf.
func (f *checkedFile) column(group *file.RowGroupReader, leaf int) (*columnReader, chunkPages,
	error,
) {
	place, err := f.chunk(group, leaf)
	if err != nil {
		return nil, chunkPages{}, err
	}
	pages, err := place.audit(f.in)
	if err != nil {
		return nil, pages, err
	}
	optional := f.MetaData().Schema.Column(leaf).MaxDefinitionLevel() > 0
	if pages.delta {
		again, err := group.GetColumnPageReader(leaf)
		if err == nil {
			err = errors.Join(checkDelta(again, optional), again.Close())
		}
		if err != nil {
			return nil, pages, err
		}
	}
	reader, err := group.Column(leaf)
	if err != nil {
		return nil, pages, err
	}
	c := &columnReader{reader: reader, pages: pages.data, step: maxStep, optional: optional}
	if pages.shared > 0 {
		c.step = max(1, sharedBytes/pages.shared)
	}
	return c, pages, nil
}

// chunk finds the chunk of a leaf where the library will read it, and checks that it is inside the
// file.
func (f *checkedFile) chunk(group *file.RowGroupReader, leaf int) (chunk, error) {
	col, err := group.MetaData().ColumnChunk(leaf)
	if err != nil {
		return chunk{}, err
	}
	kind := f.MetaData().Schema.Column(leaf).PhysicalType()
	c := chunk{start: col.DataPageOffset(), length: col.TotalCompressedSize(), rows: col.NumValues()}
	if at := col.DictionaryPageOffset(); col.HasDictionaryPage() && at > 0 && at < c.start {
		c.start = at
	}
	size := f.in.Size()
	_, unread := compress.GetCodec(col.Compression())
	switch {
	case unread != nil:
		err = fmt.Errorf("is packed by %s, which pfnamp does not unpack", col.Compression())
	case col.FilePath() != "":
		err = fmt.Errorf("is in another file, %q", col.FilePath())
	case col.Type() != kind:
		err = fmt.Errorf("is of type %s instead of %s", col.Type(), kind)
	case c.rows != group.NumRows():
		err = fmt.Errorf("has %d values for %d rows", c.rows, group.NumRows())
	case c.start < 4 || c.length < 0 || c.start > size || c.length > size-c.start:
		err = fmt.Errorf("has %d bytes at %d in a file of %d", c.length, c.start, size)
	}
	if f.WriterVersion().LessThan(metadata.Parquet816FixedVersion) {
		c.length += min(100, size-c.start-c.length) // some writers omit the dictionary's header
	}
	return c, err
}

// border is the end of one Parquet file and the beginning of another.
var border = []byte(magic + magic)

// checkTogether refuses several Parquet files written one after the other. The last footer gives
// positions as if its file stood alone, so rows of one file would be taken for all. Then another
// file's end lies between the pages that it lists and the footer.
func checkTogether(f io.ReaderAt, meta *metadata.FileMetaData, footer int64) error {
	at := int64(0) // the end of the pages
	for _, group := range meta.GetRowGroups() {
		for _, c := range group.Columns {
			if m := c.MetaData; m != nil {
				start := m.DataPageOffset
				if dictionary := m.GetDictionaryPageOffset(); dictionary > 0 {
					start = min(start, dictionary)
				}
				at = max(at, start+m.TotalCompressedSize)
			}
		}
	}
	buffer := make([]byte, 1<<20)
	for at < footer {
		n := min(int64(len(buffer)), footer-at)
		if err := ground.ReadAt(f, buffer[:n], at); err != nil {
			return err
		}
		if bytes.Contains(buffer[:n], border) {
			return errors.New("the file holds several Parquet files, and its footer lists only the " +
				"last one: write them as one, or use one of them")
		}
		at += max(n-int64(len(border))+1, 1)
	}
	return nil
}
