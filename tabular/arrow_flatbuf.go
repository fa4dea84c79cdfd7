package tabular

import (
	"encoding/binary"
	"errors"
)

// errFlatbuf reports metadata whose offsets or counts lead out of their buffer.
var errFlatbuf = errors.New("metadata points outside itself")

// A fbTable is a table in a FlatBuffers buffer. Arrow metadata is FlatBuffers, whose generated
// readers trust every offset and every count; reading through this type first makes sure that
// no count exceeds what the buffer can hold before anything is allocated for it.
//
// Layout: https://flatbuffers.dev/internals/. A table starts with the signed distance back to
// its vtable; the vtable holds its own size, the table's size and one 16-bit offset per field.
type fbTable struct {
	buf []byte
	pos int
}

// fbVector is a vector of n elements of one size, the first at pos.
type fbVector struct {
	buf    []byte
	pos, n int
}

// fbRoot returns the root table of a buffer.
func fbRoot(buf []byte) (fbTable, error) {
	return fbTable{buf, 0}.follow(0)
}

// follow returns the table that the unsigned offset at pos leads to.
func (t fbTable) follow(pos int) (fbTable, error) {
	at, err := t.indirect(pos)
	if err != nil || at+4 > len(t.buf) {
		return fbTable{}, errFlatbuf
	}
	child := fbTable{t.buf, at}
	vtable := at - int(int32(binary.LittleEndian.Uint32(t.buf[at:])))
	if vtable < 0 || vtable+4 > len(t.buf) {
		return fbTable{}, errFlatbuf
	}
	size := int(binary.LittleEndian.Uint16(t.buf[vtable:]))
	if size < 4 || vtable+size > len(t.buf) {
		return fbTable{}, errFlatbuf
	}
	return child, nil
}

// indirect returns the position that the unsigned offset at pos leads to.
func (t fbTable) indirect(pos int) (int, error) {
	if pos < 0 || pos+4 > len(t.buf) {
		return 0, errFlatbuf
	}
	at := pos + int(binary.LittleEndian.Uint32(t.buf[pos:]))
	if at <= pos || at+4 > len(t.buf) {
		return 0, errFlatbuf
	}
	return at, nil
}

// field returns the position of a field's value, 0 where the field is absent.
func (t fbTable) field(slot int) int {
	vtable := t.pos - int(int32(binary.LittleEndian.Uint32(t.buf[t.pos:])))
	at := 4 + 2*slot
	if at+2 > int(binary.LittleEndian.Uint16(t.buf[vtable:])) {
		return 0
	}
	offset := int(binary.LittleEndian.Uint16(t.buf[vtable+at:]))
	if offset == 0 {
		return 0
	}
	return t.pos + offset
}

// scalar reads a little-endian integer field of the given width in bytes.
func (t fbTable) scalar(slot, width int, absent int64) (int64, error) {
	pos := t.field(slot)
	if pos == 0 {
		return absent, nil
	}
	if pos+width > len(t.buf) {
		return 0, errFlatbuf
	}
	switch width {
	case 1:
		return int64(t.buf[pos]), nil
	case 2:
		return int64(int16(binary.LittleEndian.Uint16(t.buf[pos:]))), nil
	case 4:
		return int64(int32(binary.LittleEndian.Uint32(t.buf[pos:]))), nil
	}
	return int64(binary.LittleEndian.Uint64(t.buf[pos:])), nil
}

// table returns a table field and whether it is present.
func (t fbTable) table(slot int) (fbTable, bool, error) {
	pos := t.field(slot)
	if pos == 0 {
		return fbTable{}, false, nil
	}
	child, err := t.follow(pos)
	return child, err == nil, err
}

// vector returns a vector field of elements of the given size in bytes; empty where absent.
func (t fbTable) vector(slot, size int) (fbVector, error) {
	pos := t.field(slot)
	if pos == 0 {
		return fbVector{}, nil
	}
	at, err := t.indirect(pos)
	if err != nil {
		return fbVector{}, err
	}
	n := int(binary.LittleEndian.Uint32(t.buf[at:]))
	if n > (len(t.buf)-at-4)/size {
		return fbVector{}, errFlatbuf
	}
	return fbVector{t.buf, at + 4, n}, nil
}

// table returns element i of a vector of tables.
func (v fbVector) table(i int) (fbTable, error) {
	return fbTable{buf: v.buf}.follow(v.pos + 4*i)
}

// int64 reads the 8 bytes at an offset into the vector.
func (v fbVector) int64(offset int) int64 {
	return int64(binary.LittleEndian.Uint64(v.buf[v.pos+offset:]))
}
