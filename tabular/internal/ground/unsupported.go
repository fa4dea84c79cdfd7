package ground

import (
	"reflect"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// UnsupportedType is the type of a column that pfnamp cannot represent: nested, encrypted or
// unknown. The column keeps its place among the others, without values, so that the others can be
// read. Using or keeping it is an error that names the type. Ignoring it is not.
type UnsupportedType struct {
	arrow.ExtensionBase
	// Stored is the type of the column in the terms of the file format, such as "list<item: int64>"
	// or "INT96".
	Stored string
}

// NewUnsupported returns the type for a stored type. It shortens long descriptions.
func NewUnsupported(stored string) *UnsupportedType {
	return &UnsupportedType{arrow.ExtensionBase{Storage: arrow.Null},
		Cut(stored, MaxQuoted)}
}

// ArrayType returns the Go type of the arrays of an UnsupportedType.
func (*UnsupportedType) ArrayType() reflect.Type { return reflect.TypeFor[unsupportedArray]() }

// ExtensionName names the type among Arrow extension types.
func (*UnsupportedType) ExtensionName() string { return "pfnamp.unsupported" }

// String returns the stored type.
func (t *UnsupportedType) String() string { return t.Stored }

// ExtensionEquals reports whether the other type is an UnsupportedType of the same stored type.
func (t *UnsupportedType) ExtensionEquals(other arrow.ExtensionType) bool {
	o, ok := other.(*UnsupportedType)
	return ok && o.Stored == t.Stored
}

// Serialize returns the stored type.
func (t *UnsupportedType) Serialize() string { return t.Stored }

// Deserialize returns the inverse of Serialize.
func (*UnsupportedType) Deserialize(_ arrow.DataType, data string) (arrow.ExtensionType, error) {
	return NewUnsupported(data), nil
}

// unsupportedArray is the array of an UnsupportedType: rows without values.
type unsupportedArray struct{ array.ExtensionArrayBase }

// ValueStr returns the text of a null, because there are no values.
func (*unsupportedArray) ValueStr(int) string { return array.NullValueStr }
