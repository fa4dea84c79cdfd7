package parquetguard

import (
	"encoding/binary"
	"errors"
)

// errThrift reports metadata that contradicts itself.
var errThrift = errors.New("the metadata is damaged")

// Wire types of the Thrift compact protocol.
const (
	thriftTrue, thriftFalse, thriftByte = 1, 2, 3
	thriftI16, thriftI32, thriftI64     = 4, 5, 6
	thriftDouble, thriftBinary          = 7, 8
	thriftList, thriftSet, thriftMap    = 9, 10, 11
	thriftStruct, thriftUUID            = 12, 13
)

// A thriftWalker reads Thrift's compact protocol, the form of Parquet's metadata
// (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md). The
// generated readers allocate what a list declares. Walking the bytes first makes sure that no list
// is longer than the bytes that follow. After an error every read returns zero.
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

// number reads a 32-bit integer, and reports whether the field is one.
func (w *thriftWalker) number(to *int64, wire byte) bool {
	if wire != thriftI32 {
		return false
	}
	*to = w.signed()
	return true
}

// count reads the number of elements of a list, each of at least one byte.
func (w *thriftWalker) count(n uint64) int {
	if n > uint64(len(w.buf)-w.pos) {
		w.fail()
		return 0
	}
	return int(n)
}

// fields walks the fields of a struct. visit reads the value of a field and returns true, or
// returns false to skip it.
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

// elements walks a list. visit reads one element and returns true, or returns false to skip it.
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
