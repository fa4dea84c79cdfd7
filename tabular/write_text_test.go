package tabular

import (
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
)

// TestCSVTypes shows how each type is written.
func TestCSVTypes(t *testing.T) {
	for _, c := range []struct {
		t          arrow.DataType
		json, want string
	}{
		{arrow.FixedWidthTypes.Boolean, `[true, null]`, "true\n\"\"\n"},
		{arrow.Null, `[null]`, "\"\"\n"}, // as pandas writes a column of None
		{arrow.PrimitiveTypes.Uint64, `[18446744073709551615]`, "18446744073709551615\n"},
		{arrow.PrimitiveTypes.Int8, `[-128]`, "-128\n"},
		{arrow.FixedWidthTypes.Date32, `["2024-02-29"]`, "2024-02-29\n"},
		{&arrow.TimestampType{Unit: arrow.Millisecond}, `["2024-02-29T01:02:03.004"]`,
			"2024-02-29T01:02:03.004\n"},
		{arrow.FixedWidthTypes.Timestamp_us, `["2024-02-29T01:02:03Z"]`,
			"2024-02-29T01:02:03Z\n"},
		{&arrow.Decimal128Type{Precision: 20, Scale: 2}, `["1.50", "-123456789012345678.25"]`,
			"1.50\n-123456789012345678.25\n"},
		{arrow.BinaryTypes.String, `["", "a", "a,b", "say \"hi\"", " b", null, "1\n2"]`,
			"\"\"\na\n\"a,b\"\n\"say \"\"hi\"\"\"\n\" b\"\n\"\"\n\"1\n2\"\n"},
		{arrow.BinaryTypes.Binary, `["AAE="]`, "AAE=\n"},
		{&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8,
			ValueType: arrow.BinaryTypes.String}, `["b", "a", "b"]`, "b\na\nb\n"},
	} {
		got := string(written(t, WriteOptions{}, single(arrayOf(t, c.t, c.json))))
		if got != "c\n"+c.want {
			t.Errorf("%s: %q, want %q", c.t, got, "c\n"+c.want)
		}
	}
}
