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

// checkSchemaMessage checks every count in a schema message and collects the dictionary
// numbers of the columns.
func checkSchemaMessage(meta []byte) (*arrowSchema, error) {
	msg, err := fbRoot(meta)
	if err != nil {
		return nil, err
	}
	kind, err1 := msg.scalar(msgType, 1, 0)
	version, err2 := msg.scalar(msgVersion, 2, 0)
	header, ok, err3 := msg.table(msgHeader)
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	if kind != headerSchema || !ok {
		return nil, errors.New("the first message is not a schema")
	}
	if version < versionV4 {
		return nil, fmt.Errorf("metadata version %d is too old", version+1)
	}
	endian, err := header.scalar(schemaEndian, 2, 0)
	if err != nil {
		return nil, err
	}
	if endian != 0 {
		return nil, errors.New("big-endian data is not supported")
	}
	s := &arrowSchema{v4: version == versionV4}
	fields, err := header.vector(schemaFields, 4)
	if err != nil {
		return nil, err
	}
	budget := maxColumns
	for i := range fields.n {
		id, err := checkSchemaField(fields, i, &budget, 0)
		if err != nil {
			return nil, err
		}
		s.dictionaries = append(s.dictionaries, id)
	}
	_, err = header.vector(schemaMetadata, 4)
	return s, err
}

// checkSchemaField checks the counts of a field and of its children, and returns its dictionary
// number or -1.
func checkSchemaField(fields fbVector, i int, budget *int, depth int) (int64, error) {
	if *budget--; *budget < 0 {
		return -1, fmt.Errorf("more than %d columns", maxColumns)
	}
	if depth > maxNesting {
		return -1, fmt.Errorf("types nested deeper than %d levels", maxNesting)
	}
	field, err := fields.table(i)
	if err != nil {
		return -1, err
	}
	err1 := checkSchemaType(field)
	_, err2 := field.vector(fieldMetadata, 4)
	children, err3 := field.vector(fieldChildren, 4)
	id := int64(-1)
	dictionary, ok, err4 := field.table(fieldDictionary)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return -1, err
	}
	if ok {
		if id, err = dictionary.scalar(0, 8, 0); err != nil {
			return -1, err
		}
	}
	for j := range children.n {
		if _, err := checkSchemaField(children, j, budget, depth+1); err != nil {
			return -1, err
		}
	}
	return id, nil
}

// checkSchemaType checks the one count that the table of a type may hold: the length of a
// timestamp's time zone or of a union's type numbers.
func checkSchemaType(field fbTable) error {
	kind, err := field.scalar(fieldKind, 1, 0)
	if err != nil {
		return err
	}
	typ, ok, err := field.table(fieldType)
	if err != nil || !ok {
		return err
	}
	switch kind {
	case kindTimestamp:
		_, err = typ.vector(1, 1)
	case kindUnion:
		_, err = typ.vector(1, 4)
	}
	return err
}

// exposedSchema replaces the types that are not represented by an UnsupportedType.
func exposedSchema(stored *arrow.Schema) *arrow.Schema {
	fields := stored.Fields()
	for i, f := range fields {
		if !flatType(f.Type) {
			fields[i].Type = newUnsupported(f.Type.String())
		}
	}
	meta := stored.Metadata()
	return arrow.NewSchema(fields, &meta)
}

// flatType tells whether columns of an Arrow type are represented as they are.
func flatType(t arrow.DataType) bool {
	switch t := t.(type) {
	case *arrow.DictionaryType:
		_, nested := t.ValueType.(*arrow.DictionaryType)
		return !nested && flatType(t.ValueType)
	case arrow.ExtensionType:
		_, dictionary := t.StorageType().(*arrow.DictionaryType)
		return !dictionary && flatType(t.StorageType())
	case *arrow.NullType, *arrow.StringType, *arrow.LargeStringType, *arrow.BinaryType,
		*arrow.LargeBinaryType, *arrow.StringViewType, *arrow.BinaryViewType:
		return true
	case *arrow.MonthIntervalType, *arrow.DayTimeIntervalType, *arrow.MonthDayNanoIntervalType:
		return false
	}
	fixed, ok := t.(arrow.FixedWidthDataType)
	return ok && !arrow.IsNested(t.ID()) && fixed.BitWidth() > 0
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
