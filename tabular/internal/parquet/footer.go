package parquet

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/thrift/lib/go/thrift"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// Limits on what the footer of a Parquet file may declare.
const (
	maxNesting     = 64        // levels of nested types
	maxFooter      = 512 << 20 // bytes
	maxRowsFloor   = 1 << 28   // rows that a file of any size may have
	maxRowsPerByte = 4096      // rows that a larger file may have per byte
)

// Magic numbers at the end of a Parquet file.
const (
	magic          = "PAR1"
	magicEncrypted = "PARE"
)

// readFooter reads and checks the footer of a Parquet file. It checks everything that the generated
// reader trusts before that runs.
func readFooter(f *io.SectionReader) (_ *metadata.FileMetaData, err error) {
	size := f.Size()
	var end [4]byte
	if size > 4 && ground.ReadAt(f, end[:], size-4) == nil && string(end[:]) == magicEncrypted {
		return nil, errors.New("encrypted files are not supported")
	}
	footer, at, err := ground.Footer(f, magic, "a Parquet", maxFooter)
	if err != nil {
		return nil, err
	}
	if err := checkFooter(footer); err != nil {
		return nil, err
	}
	defer ground.Recover(&err)
	meta, err := metadata.NewFileMetaData(footer, nil)
	if err != nil {
		return nil, err
	}
	meta.SetSourceFileSize(size)
	if err := checkRowGroups(meta, size); err != nil {
		return nil, err
	}
	return meta, checkTogether(f, meta, at)
}

// checkFooter walks the footer. The schema, a list in depth-first order, must be one tree of
// limited size and depth, because the library reads it as deep as it is nested.
func checkFooter(footer []byte) error {
	w := walk(footer)
	tree := schemaTree{open: []int{1}}
	lists := 0
	w.fields(func(id int16, is thrift.TType) bool {
		if id != 2 || is != thrift.LIST {
			return false
		}
		lists++
		w.elements(func(is thrift.TType) bool {
			if w.check(is == thrift.STRUCT, nil) {
				tree.add(w)
			}
			return true
		})
		return true
	})
	if !w.check(lists == 1, nil) {
		return w.err
	}
	return tree.check()
}

// A schemaTree checks a list of nodes, each with the number of its children, in depth-first order.
type schemaTree struct {
	open  []int // nodes still to come at each level
	nodes int
	bad   error
}

// add reads the next node, a struct SchemaElement.
func (t *schemaTree) add(w *walker) {
	children := w.numbers(nil)[5]
	t.nodes++
	for len(t.open) > 0 && t.open[len(t.open)-1] == 0 {
		t.open = t.open[:len(t.open)-1]
	}
	switch {
	case t.bad != nil:
	case children < 0 || len(t.open) == 0:
		t.bad = errSchema
	case len(t.open) > maxNesting:
		t.bad = fmt.Errorf("types are nested deeper than %d levels", maxNesting)
	case t.nodes > 4*ground.MaxColumns:
		t.bad = fmt.Errorf("there are more than %d columns", ground.MaxColumns)
	default:
		t.open[len(t.open)-1]--
		t.open = append(t.open, int(children))
	}
}

// errSchema reports a schema that is not one tree.
var errSchema = errors.New("the schema is damaged")

// check checks that the list was one complete tree.
func (t *schemaTree) check() error {
	switch {
	case t.nodes == 0:
		return errors.New("the schema is empty")
	case t.bad == nil && slices.Max(t.open) > 0:
		return errSchema
	}
	return t.bad
}

// checkRowGroups checks the row counts of the footer, and that each row group has a chunk of every
// column inside the file.
func checkRowGroups(meta *metadata.FileMetaData, size int64) error {
	total, most := meta.GetNumRows(), max(maxRowsFloor, maxRowsPerByte*size)
	leaves := meta.Schema.NumColumns()
	if leaves > ground.MaxColumns {
		return fmt.Errorf("there are %d columns, at most %d are possible", leaves, ground.MaxColumns)
	}
	sum := int64(0)
	for i, group := range meta.GetRowGroups() {
		rows := group.GetNumRows()
		if rows < 0 || rows > most-sum {
			return fmt.Errorf("row group %d declares %d rows in %d bytes", i+1, rows, size)
		}
		sum += rows
		if len(group.Columns) != leaves {
			return fmt.Errorf("row group %d has %d of %d columns", i+1, len(group.Columns),
				leaves)
		}
	}
	if sum != total && total != 0 {
		return fmt.Errorf("the row groups hold %d rows, but the footer says %d", sum, total)
	}
	meta.NumRows = sum // some writers leave it out
	return nil
}
