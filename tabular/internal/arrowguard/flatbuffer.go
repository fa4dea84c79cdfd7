package arrowguard

import (
	"errors"
	"runtime"

	flatbuffers "github.com/google/flatbuffers/go"
)

// errFlatbuf reports metadata whose offsets or counts lead out of their buffer.
var errFlatbuf = errors.New("metadata points outside itself")

// A fbTable is a table in a FlatBuffers buffer. Its methods panic where it leads out of the
// buffer.
type fbTable struct{ flatbuffers.Table }

// fbRoot is the root table of a buffer.
func fbRoot(b []byte) fbTable {
	return fbTable{flatbuffers.Table{Bytes: b, Pos: flatbuffers.GetUOffsetT(b)}}
}

// fbSlot is the place of a slot in a table of offsets.
func fbSlot(n int) flatbuffers.VOffsetT { return flatbuffers.VOffsetT(4 + 2*n) }

// at is the table that the offset at a position leads to.
func (t fbTable) at(pos flatbuffers.UOffsetT) fbTable {
	return fbTable{flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(pos)}}
}

// child is the table in a slot.
func (t fbTable) child(slot int) (fbTable, bool) {
	o := t.Offset(fbSlot(slot))
	if o == 0 {
		return fbTable{}, false
	}
	return t.at(t.Pos + flatbuffers.UOffsetT(o)), true
}

// vector is the place and the number of the elements of the vector in a slot. It panics if they
// are more than the buffer can hold.
func (t fbTable) vector(slot, size int) (at flatbuffers.UOffsetT, n int) {
	o := flatbuffers.UOffsetT(t.Offset(fbSlot(slot)))
	if o == 0 {
		return 0, 0
	}
	at, n = t.Vector(o), t.VectorLen(o)
	if n > (len(t.Bytes)-int(at))/size {
		panic(errFlatbuf)
	}
	return at, n
}

// fbError is the error of a function that panicked while it read a FlatBuffers buffer, or the
// one that it returned.
func fbError(p any, returned error) error {
	switch p := p.(type) {
	case nil:
		return returned
	case runtime.Error: // an index or a slice out of range
		return errFlatbuf
	case error:
		return p
	default:
		panic(p)
	}
}
