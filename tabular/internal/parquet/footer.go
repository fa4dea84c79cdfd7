package parquet

import (
	"encoding/binary"
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

// readFooter reads and checks the footer of a Parquet file. It returns the metadata and the leaves
// of unknown logical types. It checks everything that the generated reader trusts before that runs.
func readFooter(f io.ReaderAt, size int64) (*metadata.FileMetaData, map[int]bool, error) {
	var tail [8]byte // length of the footer, magic
	if size < int64(len(magic)+len(tail)) {
		return nil, nil, errors.New("the file is too short")
	}
	if err := readAt(f, tail[:], size-8); err != nil {
		return nil, nil, err
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	switch string(tail[4:]) {
	case magic:
	case magicEncrypted:
		return nil, nil, errors.New("encrypted files are not supported")
	default:
		return nil, nil, errors.New("the file is cut off: it does not end like a Parquet file")
	}
	if n == 0 || n > maxFooter || n > size-12 {
		return nil, nil, fmt.Errorf("the footer has %d bytes, the file %d", n, size)
	}
	footer := make([]byte, n)
	if err := readAt(f, footer, size-8-n); err != nil {
		return nil, nil, err
	}
	unknown, err := checkFooter(footer)
	if err != nil {
		return nil, nil, err
	}
	meta, err := metadata.NewFileMetaData(footer, nil)
	if err != nil {
		return nil, nil, err
	}
	meta.SetSourceFileSize(size)
	if err := checkRowGroups(meta, size); err != nil {
		return nil, nil, err
	}
	return meta, unknown, checkTogether(f, meta, size-8-n)
}

// readAt fills a buffer from a position in a file.
func readAt(f io.ReaderAt, b []byte, at int64) error {
	n, err := f.ReadAt(b, at)
	switch {
	case n == len(b):
		return nil
	case errors.Is(err, io.EOF):
		return errors.New("the file became shorter while pfnamp read it")
	}
	return err
}

// footerLists returns where the footer (struct FileMetaData of parquet.thrift) holds lists, without
// the schema.
func footerLists() shape {
	pairs := shape{list: thrift.STRUCT}
	numbers, texts := shape{list: thrift.I32}, shape{list: thrift.STRING}
	longs := shape{list: thrift.I64}
	column := shape{fields: map[int16]shape{
		2:  numbers,                                       // encodings
		3:  texts,                                         // path
		8:  pairs,                                         // metadata
		13: pairs,                                         // encoding statistics
		16: {fields: map[int16]shape{2: longs, 3: longs}}, // size statistics
		17: {fields: map[int16]shape{2: numbers}},         // geospatial statistics
	}}
	crypto := shape{fields: map[int16]shape{2: {fields: map[int16]shape{1: texts}}}}
	chunk := shape{list: thrift.STRUCT, fields: map[int16]shape{3: column, 8: crypto}}
	group := shape{list: thrift.STRUCT, fields: map[int16]shape{1: chunk, 4: pairs}}
	return shape{fields: map[int16]shape{4: group, 5: pairs, 7: pairs}}
}

// checkFooter walks the footer. Lists must hold as many elements as they declare. The schema, a
// list in depth-first order, must be one tree of limited size and depth. The generated reader
// panics on newer logical types: checkFooter replaces them by the type without values, and returns
// their leaves.
func checkFooter(footer []byte) (map[int]bool, error) {
	w := walk(footer)
	w.conform(footerLists())
	if w.err != nil {
		return nil, w.err
	}
	w = walk(footer)
	tree := schemaTree{open: []int{1}, unknown: make(map[int]bool)}
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
		return nil, w.err
	}
	return tree.unknown, tree.check()
}

// A schemaTree checks a list of nodes, each with the number of its children, in depth-first order.
type schemaTree struct {
	open  []int // nodes still to come at each level
	nodes int
	bad   error

	leaves  int
	unknown map[int]bool // leaves of unknown logical types
}

// add reads the next node, a struct SchemaElement.
func (t *schemaTree) add(w *walker) {
	children, leaf, unknown := int64(0), false, false
	w.fields(func(id int16, is thrift.TType) bool {
		leaf = leaf || id == 1
		if id == 10 && is == thrift.STRUCT {
			unknown = w.replaceUnknown()
			return true
		}
		return id == 5 && w.number(&children, is)
	})
	if leaf {
		if unknown {
			t.unknown[t.leaves] = true
		}
		t.leaves++
	}
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

// replaceUnknown walks a logical type, a struct with one field. It replaces a field with an unknown
// number by the type without values, and reports whether it did.
func (w *walker) replaceUnknown() bool {
	const none, youngest = 11, 18
	replaced, seen := false, 0
	w.fields(func(id int16, is thrift.TType) bool {
		seen++
		if !w.check(seen == 1 && is == thrift.STRUCT, nil) || id >= 1 && id <= youngest && id != 9 {
			return false
		}
		replaced = true
		at := w.buf[w.head:w.pos()]
		if len(at) == 1 {
			at[0] = none<<4 | thriftStruct
			return false
		}
		at[1] = 2 * none // zigzag, in the same number of bytes
		for i := 2; i < len(at); i++ {
			at[i-1] |= 0x80
			at[i] = 0
		}
		return false
	})
	w.check(seen == 1, nil)
	return replaced
}

// thriftStruct is the type of a struct in the compact protocol.
const thriftStruct = 12

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
	if sum != total && total != 0 { // some writers leave it out
		return fmt.Errorf("the row groups hold %d rows, but the footer says %d", sum, total)
	}
	return nil
}
