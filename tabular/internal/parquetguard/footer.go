package parquetguard

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/parquet/metadata"
)

// MaxColumns is the number of columns that a schema may have, nested ones included.
const MaxColumns = 100_000

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
func footerLists() thriftShape {
	pairs := thriftShape{list: thriftStruct}
	numbers, texts := thriftShape{list: thriftI32}, thriftShape{list: thriftBinary}
	longs := thriftShape{list: thriftI64}
	column := thriftShape{fields: map[int]thriftShape{
		2:  numbers,                                           // encodings
		3:  texts,                                             // path
		8:  pairs,                                             // metadata
		13: pairs,                                             // encoding statistics
		16: {fields: map[int]thriftShape{2: longs, 3: longs}}, // size statistics
		17: {fields: map[int]thriftShape{2: numbers}},         // geospatial statistics
	}}
	crypto := thriftShape{fields: map[int]thriftShape{2: {fields: map[int]thriftShape{1: texts}}}}
	chunk := thriftShape{list: thriftStruct,
		fields: map[int]thriftShape{3: column, 8: crypto}}
	group := thriftShape{list: thriftStruct, fields: map[int]thriftShape{1: chunk, 4: pairs}}
	return thriftShape{fields: map[int]thriftShape{4: group, 5: pairs, 7: pairs}}
}

// checkFooter walks the footer. Lists must hold as many elements as they declare. The schema, a
// list in depth-first order, must be one tree of limited size and depth. The generated reader
// panics on newer logical types: checkFooter replaces them by the type without values, and returns
// their leaves.
func checkFooter(footer []byte) (map[int]bool, error) {
	w := &thriftWalker{buf: footer}
	w.conform(footerLists())
	if w.err != nil {
		return nil, w.err
	}
	w = &thriftWalker{buf: footer}
	tree := schemaTree{open: []int{1}, unknown: make(map[int]bool)}
	lists := 0
	w.fields(func(id int, wire byte) bool {
		if id != 2 || wire != thriftList {
			return false
		}
		lists++
		w.elements(func(wire byte) bool {
			if wire != thriftStruct {
				w.fail()
			}
			tree.walk(w)
			return true
		})
		return true
	})
	if w.err != nil {
		return nil, w.err
	}
	if lists != 1 {
		return nil, errThrift
	}
	return tree.unknown, tree.check()
}
