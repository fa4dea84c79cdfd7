package arrowguard

import (
	"errors"
	"runtime"

	flatbuffers "github.com/google/flatbuffers/go"
)

// errFlatbuf reports metadata whose offsets or counts point outside their buffer.
var errFlatbuf = errors.New("the metadata points outside itself")

// A fbTable is a table in a FlatBuffers buffer. Its methods panic if it points outside the buffer.
type fbTable struct{ flatbuffers.Table }

// fbRoot returns the root table of a buffer.
func fbRoot(b []byte) fbTable {
	return fbTable{flatbuffers.Table{Bytes: b, Pos: flatbuffers.GetUOffsetT(b)}}
}

// fbSlot returns the position of a slot in a table of offsets.
func fbSlot(n int) flatbuffers.VOffsetT { return flatbuffers.VOffsetT(4 + 2*n) }

// at returns the table at the offset in a position.
func (t fbTable) at(pos flatbuffers.UOffsetT) fbTable {
	return fbTable{flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(pos)}}
}

// child returns the table in a slot.
func (t fbTable) child(slot int) (fbTable, bool) {
	o := t.Offset(fbSlot(slot))
	if o == 0 {
		return fbTable{}, false
	}
	return t.at(t.Pos + flatbuffers.UOffsetT(o)), true
}

// vector returns the position and the number of elements of the vector in a slot. It panics if the
// buffer cannot hold them.
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

// fbError returns the error of a function that reads a FlatBuffers buffer: its panic p, or the
// error that it returned.
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
