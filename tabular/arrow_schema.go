package tabular

import (
	"errors"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Limits on what the metadata of a columnar file may declare.
const (
	maxColumns = 100_000 // columns of a table, nested ones included
	maxNesting = 64      // levels of nested types
)

// Slots and values of the tables in Arrow's Schema.fbs and Message.fbs.
const (
	msgVersion, msgType, msgHeader, msgBody           = 0, 1, 2, 3
	headerSchema, headerDictionary, headerRecordBatch = 1, 2, 3
	schemaEndian, schemaFields, schemaMetadata        = 0, 1, 2
	fieldKind, fieldType, fieldDictionary             = 2, 3, 4
	fieldChildren, fieldMetadata                      = 5, 6
	kindTimestamp, kindUnion                          = 10, 14
	versionV4                                         = 3
)

// arrowSchema is the schema of an Arrow stream or file.
type arrowSchema struct {
	// stored is the schema as stored, exposed the same with an UnsupportedType in the place
	// of each type that is not represented.
	stored, exposed *arrow.Schema
	// dictionaries holds the dictionary number of each column, -1 where it has none.
	dictionaries []int64
	// v4 tells metadata version 4, in which unions carry a validity bitmap.
	v4 bool
}

// parseArrowSchema decodes a schema message, after a check that it can be decoded in bounds.
func parseArrowSchema(meta []byte) (s *arrowSchema, err error) {
	defer func() {
		if p := recover(); p != nil {
			s, err = nil, fmt.Errorf("schema: %v", p)
		}
	}()
	s, err = checkSchemaMessage(meta)
	if err != nil {
		return nil, err
	}
	one := &oneMessage{meta: meta}
	reader, err := ipc.NewReaderFromMessageReader(one)
	if err != nil {
		return nil, err
	}
	defer reader.Release()
	s.stored = reader.Schema()
	if s.stored == nil || s.stored.NumFields() != len(s.dictionaries) {
		return nil, errors.New("schema: cannot be decoded")
	}
	s.exposed = exposedSchema(s.stored)
	return s, nil
}

// oneMessage is an ipc.MessageReader of a single message without a body.
type oneMessage struct{ meta []byte }

// Message returns the message.
func (m *oneMessage) Message() (*ipc.Message, error) {
	return ipc.NewMessage(memory.NewBufferBytes(m.meta), memory.NewBufferBytes(nil)), nil
}

// Retain does nothing.
func (*oneMessage) Retain() {}

// Release does nothing.
func (*oneMessage) Release() {}
