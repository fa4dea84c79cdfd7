package arrow

import (
	"errors"
	"fmt"
	"math"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// maxNesting is the number of levels of nested types.
const maxNesting = 64

// Slots and values of the tables in Arrow's File.fbs, Message.fbs and Schema.fbs.
const (
	footerDictionaries, footerBatches, blockSize      = 2, 3, 24
	msgVersion, msgType, msgHeader, msgBody           = 0, 1, 2, 3
	msgMetadata                                       = 4
	headerSchema, headerDictionary, headerRecordBatch = 1, 2, 3
	batchLength, batchBuffers, batchVariadic          = 0, 2, 4
	dictData                                          = 1
	schemaEndian, schemaFields, schemaMetadata        = 0, 1, 2
	fieldName, fieldKind, fieldType                   = 0, 2, 3
	fieldChildren, fieldMetadata, kindTimestamp       = 5, 6, 10
	versionV4                                         = 3
)

// A verifier checks the metadata of messages before the Arrow library decodes it. The library
// trusts every count: it allocates for it and follows it. Methods panic if the metadata is wrong.
type verifier struct {
	columns int // that the schema may still have
	text    int // bytes that names and metadata may still have
}

// A messageHeader is a summary of the metadata of a message.
type messageHeader struct {
	kind, body int64
}

// verify checks the metadata of the next message.
func (v *verifier) verify(meta []byte) (h messageHeader, err error) {
	v.text = maxMetadata
	msg := fbRoot(meta)
	v.keyValues(msg, msgMetadata)
	h.kind = int64(msg.GetByteSlot(fbSlot(msgType), 0))
	h.body = msg.GetInt64Slot(fbSlot(msgBody), 0)
	header, ok := msg.child(msgHeader)
	if !ok || h.body < 0 || h.body > maxBody {
		return h, fmt.Errorf("a message has a body of %d bytes", h.body)
	}
	switch h.kind {
	case headerSchema:
		v.schema(header, msg.GetInt16Slot(fbSlot(msgVersion), 0))
	case headerDictionary:
		data, ok := header.child(dictData)
		if !ok {
			return h, errors.New("a dictionary has no values")
		}
		verifyBatch(data)
	case headerRecordBatch:
		verifyBatch(header)
	default:
		return h, fmt.Errorf("a message has the unknown kind %d", h.kind)
	}
	return h, nil
}

// verifyBatch checks the counts of a RecordBatch table. The library counts its arrays.
func verifyBatch(batch fbTable) {
	rows := batch.GetInt64Slot(fbSlot(batchLength), 0)
	_, buffers := batch.vector(batchBuffers, 16)
	at, views := batch.vector(batchVariadic, 8)
	if rows < 0 || rows > math.MaxInt32 {
		panic(fmt.Errorf("a batch has %d rows", rows))
	}
	for i := range views {
		n := batch.GetInt64(at + flatbuffers.UOffsetT(8*i))
		if n < 0 || n > int64(buffers) {
			panic(fmt.Errorf("a view column has %d buffers", n))
		}
	}
}

// schema checks a Schema table.
func (v *verifier) schema(t fbTable, version int16) {
	if version < versionV4 {
		panic(fmt.Errorf("the metadata version %d is too old", version+1))
	}
	if t.GetInt16Slot(fbSlot(schemaEndian), 0) != 0 {
		panic(errors.New("big-endian data is not supported"))
	}
	v.columns = ground.MaxColumns
	v.keyValues(t, schemaMetadata)
	v.fields(t, schemaFields, 0)
}

// fields checks the Field tables in a slot, children included.
func (v *verifier) fields(t fbTable, slot, depth int) {
	at, n := t.vector(slot, 4)
	if v.columns -= n; v.columns < 0 {
		panic(fmt.Errorf("there are more than %d columns", ground.MaxColumns))
	}
	if n > 0 && depth > maxNesting {
		panic(fmt.Errorf("types are nested deeper than %d levels", maxNesting))
	}
	for i := range n {
		field := t.at(at + flatbuffers.UOffsetT(4*i))
		v.string(field, fieldName)
		v.keyValues(field, fieldMetadata)
		v.fields(field, fieldChildren, depth+1)
		zone, ok := field.child(fieldType)
		if ok && field.GetByteSlot(fbSlot(fieldKind), 0) == kindTimestamp {
			v.string(zone, 1)
		}
	}
}

// keyValues checks the KeyValue tables in a slot.
func (v *verifier) keyValues(t fbTable, slot int) {
	at, n := t.vector(slot, 4)
	for i := range n {
		pair := t.at(at + flatbuffers.UOffsetT(4*i))
		v.string(pair, 0)
		v.string(pair, 1)
	}
}

// string checks the string in a slot. Strings may share bytes: together they are limited.
func (v *verifier) string(t fbTable, slot int) {
	if o := t.Offset(fbSlot(slot)); o != 0 {
		v.text -= len(t.ByteVector(t.Pos + flatbuffers.UOffsetT(o)))
	}
	if v.text < 0 {
		panic(fmt.Errorf("names and metadata have more than %d bytes", maxMetadata))
	}
}

// A fbTable is a table in a FlatBuffers buffer. Its methods panic if it points outside the buffer.
type fbTable struct{ flatbuffers.Table }

func fbRoot(b []byte) fbTable {
	return fbTable{flatbuffers.Table{Bytes: b, Pos: flatbuffers.GetUOffsetT(b)}}
}

// fbSlot returns the position of a slot in a table of offsets.
func fbSlot(n int) flatbuffers.VOffsetT { return flatbuffers.VOffsetT(4 + 2*n) }

// at returns the table at the offset in a position.
func (t fbTable) at(pos flatbuffers.UOffsetT) fbTable {
	return fbTable{flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(pos)}}
}

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
		panic(ground.ErrContradiction)
	}
	return at, n
}
