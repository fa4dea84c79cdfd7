package tabular

import (
	"cmp"
	"errors"
	"fmt"
)

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
	if err := cmp.Or(err1, err2, err3); err != nil {
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
	if err := cmp.Or(err1, err2, err3, err4); err != nil {
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
