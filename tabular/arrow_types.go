package tabular

import (
	"github.com/apache/arrow-go/v18/arrow"
)

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
