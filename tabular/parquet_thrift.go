package tabular

import (
	"encoding/binary"
	"errors"
)

// errThrift reports metadata that is not what it says.
var errThrift = errors.New("metadata is damaged")

// Wire types of the Thrift compact protocol.
const (
	thriftTrue, thriftFalse, thriftByte = 1, 2, 3
	thriftI16, thriftI32, thriftI64     = 4, 5, 6
	thriftDouble, thriftBinary          = 7, 8
	thriftList, thriftSet, thriftMap    = 9, 10, 11
	thriftStruct, thriftUUID            = 12, 13
)

// A thriftWalker reads Thrift's compact protocol, in which Parquet keeps its metadata
// (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md). The
// generated readers allocate what a list says it holds; walking the bytes first makes sure that
// no list is longer than the bytes that follow. After an error every read returns zero.
type thriftWalker struct {
	buf   []byte
	pos   int
	head  int // where the header of the last field starts
	depth int
	err   error
}

// fail records an error and moves to the end.
func (w *thriftWalker) fail() {
	w.err = errThrift
	w.pos = len(w.buf)
}

// byte reads one byte.
func (w *thriftWalker) byte() byte {
	if w.pos >= len(w.buf) {
		w.fail()
		return 0
	}
	b := w.buf[w.pos]
	w.pos++
	return b
}

// unsigned reads a variable-length integer.
func (w *thriftWalker) unsigned() uint64 {
	v, n := binary.Uvarint(w.buf[w.pos:])
	if n <= 0 {
		w.fail()
		return 0
	}
	w.pos += n
	return v
}

// signed reads a variable-length integer in zigzag form.
func (w *thriftWalker) signed() int64 {
	v := w.unsigned()
	return int64(v>>1) ^ -int64(v&1)
}

// count reads the number of elements of a list, each of at least one byte.
func (w *thriftWalker) count(n uint64) int {
	if n > uint64(len(w.buf)-w.pos) {
		w.fail()
		return 0
	}
	return int(n)
}

// fields walks the fields of a struct. The visitor reads the value of a field and returns true,
// or returns false to have it skipped.
func (w *thriftWalker) fields(visit func(id int, wire byte) bool) {
	if w.depth++; w.depth > maxNesting {
		w.fail()
	}
	id := 0
	for w.err == nil {
		at := w.pos
		head := w.byte()
		if head == 0 {
			break
		}
		if delta := int(head >> 4); delta != 0 {
			id += delta
		} else {
			id = int(w.signed())
		}
		wire := head & 15
		w.head = at
		if visit == nil || !visit(id, wire) {
			w.skip(wire, false)
		}
	}
	w.depth--
}

// elements walks a list: the visitor reads one element and returns true, or returns false to
// have it skipped.
func (w *thriftWalker) elements(visit func(wire byte) bool) {
	head := w.byte()
	n := uint64(head >> 4)
	if n == 15 {
		n = w.unsigned()
	}
	for range w.count(n) {
		if w.err != nil {
			return
		}
		if visit == nil || !visit(head&15) {
			w.skip(head&15, true)
		}
	}
}

// A thriftShape says where a struct holds lists: the generated readers trust the element type
// that the format prescribes, whatever the list says of itself.
type thriftShape struct {
	list   byte // the type of the elements of a list, 0 where the value is a struct
	fields map[int]thriftShape
}

// conform walks a struct whose lists must be as prescribed.
func (w *thriftWalker) conform(s thriftShape) {
	w.fields(func(id int, wire byte) bool {
		field, known := s.fields[id]
		switch {
		case known && wire == thriftList && field.list != 0:
			w.elements(func(wire byte) bool {
				if wire != field.list {
					w.fail()
				}
				if wire == thriftStruct {
					w.conform(field)
				}
				return wire == thriftStruct
			})
			return true
		case known && wire == thriftStruct && field.list == 0:
			w.conform(field)
			return true
		}
		return false
	})
}

// skip passes over a value. A boolean takes a byte only inside a list.
func (w *thriftWalker) skip(wire byte, inList bool) {
	switch wire {
	case thriftTrue, thriftFalse:
		if inList {
			w.byte()
		}
	case thriftByte:
		w.byte()
	case thriftI16, thriftI32, thriftI64:
		w.unsigned()
	case thriftDouble:
		w.advance(8)
	case thriftUUID:
		w.advance(16)
	case thriftBinary:
		w.advance(w.count(w.unsigned()))
	case thriftList, thriftSet:
		w.nested(func() { w.elements(nil) })
	case thriftMap:
		w.nested(w.skipMap)
	case thriftStruct:
		w.fields(nil)
	default:
		w.fail()
	}
}

// advance passes over n bytes.
func (w *thriftWalker) advance(n int) {
	if n > len(w.buf)-w.pos {
		w.fail()
		return
	}
	w.pos += n
}

// nested runs a walk one level deeper.
func (w *thriftWalker) nested(walk func()) {
	if w.depth++; w.depth > maxNesting {
		w.fail()
	}
	if w.err == nil {
		walk()
	}
	w.depth--
}

// skipMap passes over a map.
func (w *thriftWalker) skipMap() {
	n := w.count(w.unsigned())
	if n == 0 {
		return
	}
	kinds := w.byte()
	for range n {
		if w.err != nil {
			return
		}
		w.skip(kinds>>4, true)
		w.skip(kinds&15, true)
	}
}
