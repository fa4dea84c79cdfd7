package tabular

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
)

// Limits on what the footer of a Parquet file may declare.
const (
	maxFooter      = 512 << 20 // bytes
	maxRowsFloor   = 1 << 28   // rows that a file of any size may have
	maxRowsPerByte = 4096      // rows that a larger file may have per byte
)

// Magic numbers at the end of a Parquet file.
const (
	parquetMagic     = "PAR1"
	parquetEncrypted = "PARE"
)

// readParquetFooter reads and checks the footer of a Parquet file, and returns its metadata.
// All that the generated reader takes on trust is checked before it runs.
func readParquetFooter(f *os.File, size int64) (*metadata.FileMetaData, error) {
	var tail [8]byte // length of the footer, magic
	if size < int64(len(parquetMagic)+len(tail)) {
		return nil, errors.New("file is too short")
	}
	if _, err := f.ReadAt(tail[:], size-8); err != nil {
		return nil, err
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	switch string(tail[4:]) {
	case parquetMagic:
	case parquetEncrypted:
		return nil, errors.New("encrypted files are not supported")
	default:
		return nil, errors.New("file is cut off: it does not end as a Parquet file does")
	}
	if n == 0 || n > maxFooter || n > size-12 {
		return nil, fmt.Errorf("footer of %d bytes in a file of %d", n, size)
	}
	footer := make([]byte, n)
	if _, err := f.ReadAt(footer, size-8-n); err != nil {
		return nil, err
	}
	if err := checkFooter(footer); err != nil {
		return nil, err
	}
	meta, err := metadata.NewFileMetaData(footer, nil)
	if err != nil {
		return nil, err
	}
	meta.SetSourceFileSize(size)
	return meta, checkRowGroups(meta, size)
}

// checkFooter walks the footer (struct FileMetaData of parquet.thrift): lists hold as many
// elements as they say, and the schema, which is a list in depth-first order, is one tree of
// bounded size and depth.
func checkFooter(footer []byte) error {
	w := &thriftWalker{buf: footer}
	tree := schemaTree{open: []int{1}}
	seen := 0
	w.fields(func(id int, wire byte) bool {
		if id != 2 || wire != thriftList {
			return false
		}
		seen++
		w.elements(func(wire byte) bool {
			if wire != thriftStruct {
				return false
			}
			children := 0
			w.fields(func(id int, wire byte) bool {
				if id != 5 || wire != thriftI32 {
					return false
				}
				children = int(w.signed())
				return true
			})
			tree.add(children)
			return true
		})
		return true
	})
	if w.err != nil {
		return w.err
	}
	if seen != 1 {
		return errThrift
	}
	return tree.check()
}

// A schemaTree checks a list of nodes, each with the number of its children, in depth-first
// order.
type schemaTree struct {
	open  []int // nodes still to come at each level
	nodes int
	bad   error
}

// add takes the next node.
func (t *schemaTree) add(children int) {
	t.nodes++
	for len(t.open) > 0 && t.open[len(t.open)-1] == 0 {
		t.open = t.open[:len(t.open)-1]
	}
	switch {
	case t.bad != nil:
	case children < 0 || len(t.open) == 0:
		t.bad = errors.New("schema is damaged")
	case len(t.open) > maxNesting:
		t.bad = fmt.Errorf("types nested deeper than %d levels", maxNesting)
	case t.nodes > 4*maxColumns:
		t.bad = fmt.Errorf("more than %d columns", maxColumns)
	default:
		t.open[len(t.open)-1]--
		t.open = append(t.open, children)
	}
}

// check tells whether the list was one complete tree.
func (t *schemaTree) check() error {
	for _, n := range t.open {
		if n != 0 && t.bad == nil {
			t.bad = errors.New("schema is damaged")
		}
	}
	if t.nodes == 0 {
		return errors.New("schema is empty")
	}
	return t.bad
}

// checkRowGroups checks the row counts of the footer, and that each row group has a chunk of
// every column inside the file.
func checkRowGroups(meta *metadata.FileMetaData, size int64) error {
	total := meta.GetNumRows()
	if total < 0 || total > max(maxRowsFloor, maxRowsPerByte*size) {
		return fmt.Errorf("footer claims %d rows in %d bytes", total, size)
	}
	leaves := meta.Schema.NumColumns()
	if leaves > maxColumns {
		return fmt.Errorf("%d columns, the limit is %d", leaves, maxColumns)
	}
	sum := int64(0)
	for i, group := range meta.GetRowGroups() {
		rows := group.GetNumRows()
		if rows < 0 || rows > total-sum {
			return fmt.Errorf("row group %d claims %d of %d rows", i+1, rows, total)
		}
		sum += rows
		if len(group.Columns) != leaves {
			return fmt.Errorf("row group %d has %d of %d columns", i+1, len(group.Columns),
				leaves)
		}
	}
	if sum != total {
		return fmt.Errorf("row groups hold %d rows, the footer says %d", sum, total)
	}
	return nil
}

// newParquetReader returns a reader of a file whose footer is checked. Pages are read as they
// are needed, and none beyond the limits is.
func newParquetReader(f io.ReaderAt, size int64, meta *metadata.FileMetaData) (*file.Reader, error) {
	props := parquet.NewReaderProperties(nil)
	props.BufferedStreamEnabled = true
	props.BufferSize = 64 << 10
	props.MaxUncompressedPageSize = maxPage
	return file.NewParquetReader(io.NewSectionReader(f, 0, size), file.WithReadProps(props),
		file.WithMetadata(meta))
}
