package tabular

import (
	"bytes"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
)

// TestMovedValues flips every seventh bit of the pages of files with missing values: where a
// definition level is lost, a value is left over, all behind it would be those of other rows, and
// the file is refused.
func TestMovedValues(t *testing.T) {
	for name, option := range map[string]parquet.WriterProperty{
		"plain":   parquet.WithEncoding(parquet.Encodings.Plain),
		"delta":   parquet.WithEncodingFor("n", parquet.Encodings.DeltaBinaryPacked),
		"split":   parquet.WithEncodingFor("x", parquet.Encodings.ByteStreamSplit),
		"packed":  parquet.WithCompression(compress.Codecs.Snappy),
		"page v2": parquet.WithDataPageVersion(parquet.DataPageV2),
	} {
		data := withMissing(t, option)
		want, err := countMissing(data)
		if err != nil || want != 3*9 {
			t.Fatalf("%s: %d missing, %v", name, want, err)
		}
		end := bytes.LastIndex(data, []byte("schema")) // pages are before the footer
		refused := 0
		for bit := 0; bit < 8*end; bit += 7 {
			mutant := bytes.Clone(data)
			mutant[bit/8] ^= 1 << (bit % 8)
			switch got, err := countMissing(mutant); {
			case err != nil:
				refused++
			case got > want:
				t.Errorf("%s: bit %d of byte %d: %d missing in place of %d", name, bit%8, bit/8, got, want)
			}
		}
		t.Logf("%s: %d of %d refused", name, refused, 8*end/7)
	}
}

// withMissing is a file of numbers, whole numbers and texts; every third cell is missing.
func withMissing(t *testing.T, option parquet.WriterProperty) []byte {
	t.Helper()
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "x", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
		{Name: "n", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "s", Type: arrow.BinaryTypes.String, Nullable: true},
	}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	for i := range 27 {
		for j := range schema.Fields() {
			if i%3 == 2 {
				b.Field(j).AppendNull()
			}
		}
		if i%3 != 2 {
			b.Field(0).(*array.Float64Builder).Append(float64(i) / 7)
			b.Field(1).(*array.Int64Builder).Append(int64(i * i))
			b.Field(2).(*array.StringBuilder).Append("text " + string(rune('a'+i)))
		}
	}
	return parquetFile(t, b.NewRecordBatch(), parquet.WithDictionaryDefault(false),
		parquet.WithStats(false), option)
}

// A text of a Parquet file that is no UTF-8 is refused: outputs that keep it could not be read.
func TestParquetTextThatIsNone(t *testing.T) {
	for _, dictionary := range []bool{false, true} {
		data := withMissing(t, parquet.WithDictionaryDefault(dictionary))
		wrong := bytes.ReplaceAll(data, []byte("text a"), []byte("text \xf4"))
		if bytes.Equal(wrong, data) {
			t.Fatal("the file has no such text")
		}
		if _, err := readParquet(wrong, ReadOptions{}); err == nil ||
			!strings.Contains(err.Error(), "a text is not valid UTF-8") {
			t.Errorf("dictionary %v: %v", dictionary, err)
		}
	}
}

// countMissing counts the missing cells of a Parquet file.
func countMissing(data []byte) (missing int, err error) {
	table, err := readParquet(data, ReadOptions{})
	if err != nil {
		return 0, err
	}
	for _, b := range table.Batches {
		for _, c := range b.Record.Columns() {
			missing += c.NullN()
		}
	}
	return missing, nil
}
