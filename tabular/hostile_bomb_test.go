package tabular

import (
	"bytes"
	"encoding/binary"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// oneColumn writes a Parquet file of one column, a run of equal values.
func oneColumn[T any](t *testing.T, rows int, value T, options ...parquet.WriterProperty) []byte {
	node := schema.NewByteArrayNode("v", parquet.Repetitions.Required, -1)
	if _, ok := any(value).(int64); ok {
		node = schema.NewInt64Node("v", parquet.Repetitions.Required, -1)
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required,
		schema.FieldList{node}, -1)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := file.NewParquetWriter(&b, root,
		file.WithWriterProps(parquet.NewWriterProperties(options...)))
	group, err := w.AppendRowGroupChecked()
	if err != nil {
		t.Fatal(err)
	}
	column, err := group.NextColumn()
	if err != nil {
		t.Fatal(err)
	}
	values := make([]T, 10_000)
	for i := range values {
		values[i] = value
	}
	for left := rows; left > 0 && err == nil; left -= len(values) {
		switch c := column.(type) {
		case *file.Int64ColumnChunkWriter:
			_, err = c.WriteBatch(any(values[:min(left, len(values))]).([]int64), nil, nil)
		case *file.ByteArrayColumnChunkWriter:
			_, err = c.WriteBatch(any(values[:min(left, len(values))]).([]parquet.ByteArray),
				nil, nil)
		}
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestBombs reads small files of very many or very large values in bounded memory.
func TestBombs(t *testing.T) {
	const rows = 17_000_000
	long := parquet.ByteArray(strings.Repeat("x", 1<<20))
	mutants := map[string][]byte{
		"rows": oneColumn(t, rows, int64(5)),
		"page": oneColumn(t, rows, int64(0),
			parquet.WithDictionaryDefault(false), parquet.WithDataPageSize(1<<30),
			parquet.WithCompression(compress.Codecs.Zstd)),
		"strings": oneColumn(t, 10_000, long,
			parquet.WithDictionaryPageSizeLimit(4<<20)),
	}
	for path, res := range readMutants(t, Parquet, mutants) {
		name := filepath.Base(path)
		t.Logf("%s: %d bytes, %d rows, %s, %d MiB, error %q", name, len(mutants[name]),
			res.Rows, res.Took, res.Peak>>20, res.Error)
		want := map[string]string{"page": "page expands to", "strings": "strings of a batch"}[name]
		if (want == "") != (res.Error == "") || !strings.Contains(res.Error, want) {
			t.Errorf("%s: error %q, want %q", name, res.Error, want)
		}
		if want == "" && res.Rows != rows {
			t.Errorf("%s: %d rows, want %d", name, res.Rows, rows)
		}
	}
}

// TestCompressedBufferClaims checks that a compressed Arrow buffer is not believed.
func TestCompressedBufferClaims(t *testing.T) {
	for _, claim := range []int64{-2, 1 << 40, 1 << 62} {
		body := binary.LittleEndian.AppendUint64(nil, uint64(claim))
		body = append(body, "whatever"...)
		span := binary.LittleEndian.AppendUint64(make([]byte, 8), uint64(len(body)))
		b := arrowBuffers{spans: fbVector{span, 0, 1}, body: body, method: methodZstd,
			codec: &arrowCodec{}, budget: minDecompressed}
		if _, err := b.next(); err == nil {
			t.Errorf("claim of %d bytes is believed", claim)
		}
	}
}

// TestIndicesChecked checks that an index outside its dictionary is an error.
func TestIndicesChecked(t *testing.T) {
	values, _, err := array.FromJSON(memory.DefaultAllocator, arrow.PrimitiveTypes.Int8,
		strings.NewReader("[0, 2, null]"))
	if err != nil {
		t.Fatal(err)
	}
	if checkIndices(values, 3) != nil || checkIndices(values, 2) == nil {
		t.Error("indices 0 and 2: want a dictionary of at least three values")
	}
}

// TestImpossibleTypes checks that types whose parameters do not exist are not represented: the
// methods of their arrays would panic.
func TestImpossibleTypes(t *testing.T) {
	for _, typ := range []arrow.DataType{
		&arrow.TimestampType{Unit: 9}, &arrow.DurationType{Unit: -1},
		&arrow.Time32Type{Unit: arrow.Nanosecond}, &arrow.Time64Type{Unit: arrow.Second},
		&arrow.Decimal256Type{Precision: 60, Scale: 0xff0007},
		&arrow.Decimal128Type{Precision: 60}, &arrow.FixedSizeBinaryType{ByteWidth: -4},
		arrow.ListOf(arrow.PrimitiveTypes.Int8),
		&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8,
			ValueType: &arrow.TimestampType{Unit: 4}},
	} {
		if flatType(typ) {
			t.Errorf("%T is represented", typ)
		}
	}
	for _, typ := range flatTypes() {
		if !flatType(typ) {
			t.Errorf("%s is not represented", typ)
		}
	}
}
