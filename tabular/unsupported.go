package tabular

import (
	"reflect"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// UnsupportedType is the type of a column that a columnar file holds but this package cannot
// represent: nested, encrypted, or of a type it does not know. The column stands in its place
// among the others, without values, so that the others can be read; using or keeping it is an
// error that names the type, ignoring it is not.
type UnsupportedType struct {
	arrow.ExtensionBase
	// Stored is the type of the column in the words of the file format, such as
	// "list<item: int64>" or "INT96".
	Stored string
}

// newUnsupported returns the type of a column that is stored as the given type, whose
// description is shortened where it is long.
func newUnsupported(stored string) *UnsupportedType {
	return &UnsupportedType{arrow.ExtensionBase{Storage: arrow.Null},
		ground.Cut(stored, ground.MaxQuoted)}
}

// ArrayType is the Go type of the arrays of an UnsupportedType.
func (*UnsupportedType) ArrayType() reflect.Type { return reflect.TypeFor[unsupportedArray]() }

// ExtensionName names the type among Arrow extension types.
func (*UnsupportedType) ExtensionName() string { return "pfnamp.unsupported" }

// String is the stored type.
func (t *UnsupportedType) String() string { return t.Stored }

// ExtensionEquals tells whether the other type is an UnsupportedType of the same stored type.
func (t *UnsupportedType) ExtensionEquals(other arrow.ExtensionType) bool {
	o, ok := other.(*UnsupportedType)
	return ok && o.Stored == t.Stored
}

// Serialize is the stored type.
func (t *UnsupportedType) Serialize() string { return t.Stored }

// Deserialize is the inverse of Serialize.
func (*UnsupportedType) Deserialize(_ arrow.DataType, data string) (arrow.ExtensionType, error) {
	return newUnsupported(data), nil
}

// unsupportedArray is the array of an UnsupportedType: rows without values.
type unsupportedArray struct{ array.ExtensionArrayBase }

// ValueStr is never a value.
func (*unsupportedArray) ValueStr(int) string { return array.NullValueStr }
