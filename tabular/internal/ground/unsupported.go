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

// FlatType reports whether this package represents columns of an Arrow type as they are: types
// without children, with a valid unit and precision.
func FlatType(t arrow.DataType) bool {
	switch t := t.(type) {
	case *arrow.DictionaryType:
		_, nested := t.ValueType.(*arrow.DictionaryType)
		return !nested && FlatType(t.ValueType)
	case arrow.ExtensionType:
		_, dictionary := t.StorageType().(*arrow.DictionaryType)
		return !dictionary && FlatType(t.StorageType())
	case *arrow.NullType, *arrow.StringType, *arrow.LargeStringType, *arrow.BinaryType,
		*arrow.LargeBinaryType, *arrow.StringViewType, *arrow.BinaryViewType:
		return true
	case *arrow.MonthIntervalType, *arrow.DayTimeIntervalType, *arrow.MonthDayNanoIntervalType:
		return false
	case *arrow.Time32Type:
		return t.Unit == arrow.Second || t.Unit == arrow.Millisecond
	case *arrow.Time64Type:
		return t.Unit == arrow.Microsecond || t.Unit == arrow.Nanosecond
	case arrow.TemporalWithUnit:
		return t.TimeUnit() >= arrow.Second && t.TimeUnit() <= arrow.Nanosecond
	case arrow.DecimalType:
		digits := map[int]int32{32: 9, 64: 18, 128: 38, 256: 76}[t.BitWidth()]
		return t.GetPrecision() >= 1 && t.GetPrecision() <= digits &&
			t.GetScale() >= -digits && t.GetScale() <= digits
	}
	fixed, ok := t.(arrow.FixedWidthDataType)
	return ok && !arrow.IsNested(t.ID()) && fixed.BitWidth() > 0
}
