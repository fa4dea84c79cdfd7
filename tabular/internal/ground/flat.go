package ground

import "github.com/apache/arrow-go/v18/arrow"

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
	case *arrow.TimestampType:
		return t.Unit >= arrow.Second && t.Unit <= arrow.Nanosecond
	case *arrow.DurationType:
		return t.Unit >= arrow.Second && t.Unit <= arrow.Nanosecond
	case *arrow.Time32Type:
		return t.Unit == arrow.Second || t.Unit == arrow.Millisecond
	case *arrow.Time64Type:
		return t.Unit == arrow.Microsecond || t.Unit == arrow.Nanosecond
	case arrow.DecimalType:
		digits := map[int]int32{32: 9, 64: 18, 128: 38, 256: 76}[t.BitWidth()]
		return t.GetPrecision() >= 1 && t.GetPrecision() <= digits &&
			t.GetScale() >= -digits && t.GetScale() <= digits
	}
	fixed, ok := t.(arrow.FixedWidthDataType)
	return ok && !arrow.IsNested(t.ID()) && fixed.BitWidth() > 0
}
