package tabular

import (
	"errors"
	"math"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"pgregory.net/rapid"
)

// TestTextRoundTrip checks that any text and any number read back the same from every delimited
// format.
func TestTextRoundTrip(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.StringOf(rapid.Rune().Filter(func(r rune) bool {
			return r != 0 && r != '\ufffd'
		})), 1, 20).Draw(t, "texts")
		values := rapid.SliceOfN(rapid.Float64(), len(texts), len(texts)).Draw(t, "values")
		name := rapid.SampledFrom([]string{"t.csv", "t.tsv", "t.ssv", "t.csv.gz",
			"t.tab.zst"}).Draw(t, "name")
		s := array.NewStringBuilder(memory.DefaultAllocator)
		f := array.NewFloat64Builder(memory.DefaultAllocator)
		s.AppendValues(texts, nil)
		f.AppendValues(values, nil)
		rec := array.NewRecordBatch(arrow.NewSchema([]arrow.Field{
			{Name: "te,x;t", Type: arrow.BinaryTypes.String},
			{Name: "v\t", Type: arrow.PrimitiveTypes.Float64}}, nil),
			[]arrow.Array{s.NewArray(), f.NewArray()}, int64(len(texts)))
		path := filepath.Join(dir, name)
		w, err := Create(path, rec.Schema(), WriteOptions{})
		if err == nil {
			err = errors.Join(w.Write(rec), w.Commit())
		}
		if err != nil {
			t.Fatal(err)
		}
		table, err := ReadAll(t.Context(), path, ReadOptions{
			Delimiter: writeDelimiter(name, WriteOptions{})})
		if err != nil || table.Rows != int64(len(texts)) {
			t.Fatal(table, err)
		}
		for row, cells := range textCells(table) {
			v, _ := strconv.ParseFloat(cells[1], 64)
			if cells[0] != texts[row] || math.Float64bits(v) != math.Float64bits(values[row]) {
				t.Errorf("row %d: %q, want %q %v", row, cells, texts[row], values[row])
			}
		}
	})
}

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
