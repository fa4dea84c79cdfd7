package parquetguard

import (
	"io"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
)

// A File is a Parquet file whose footer is checked.
type File struct {
	*file.Reader
	// Unknown holds the leaves of logical types that the library does not know.
	Unknown map[int]bool

	in *io.SectionReader
}

// Open opens a file and checks its footer. Pages are read when they are needed, within the limits.
func Open(in *io.SectionReader) (*File, error) {
	if err := RegisterCodecs(); err != nil {
		return nil, err
	}
	meta, unknown, err := readFooter(in, in.Size())
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
	return &File{Reader: r, Unknown: unknown, in: in}, nil
}

// NumRows returns the number of rows of all row groups.
func (f *File) NumRows() int64 {
	sum := int64(0)
	for _, group := range f.MetaData().GetRowGroups() {
		sum += group.GetNumRows()
	}
	return sum
}
