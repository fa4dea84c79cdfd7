package tabular

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
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
	values := slices.Repeat([]T{value}, min(rows, 10_000))
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
	const (
		rows      = 17_000_000 / (raceFactor * raceFactor)
		pageCells = 130               // of 1 MiB: more than a page may hold
		texts     = 1000 / raceFactor // of 1 MiB: more than a batch may hold
	)
	long := parquet.ByteArray(strings.Repeat("x", 1<<20))
	mutants := map[string][]byte{
		"rows": oneColumn(t, rows, int64(5)),
		"page": oneColumn(t, pageCells, long,
			parquet.WithDictionaryDefault(false), parquet.WithDataPageSize(1<<30),
			parquet.WithCompression(compress.Codecs.Zstd)),
		"strings": oneColumn(t, texts, long,
			parquet.WithDictionaryPageSizeLimit(4<<20)),
		"prefixes": oneColumn(t, texts, long, parquet.WithDictionaryDefault(false),
			parquet.WithEncoding(parquet.Encodings.DeltaByteArray)),
	}
	for path, res := range readMutants(t, Parquet, mutants) {
		name := filepath.Base(path)
		t.Logf("%s: %d bytes, %d rows, %s, %d MiB, error %q", name, len(mutants[name]),
			res.Rows, res.Took, res.Peak>>20, res.Error)
		want := map[string]string{"page": "a page expands to", "strings": "strings of a batch",
			"prefixes": "strings of a batch"}[name]
		if (want == "") != (res.Error == "") || !strings.Contains(res.Error, want) {
			t.Errorf("%s: error %q, want %q", name, res.Error, want)
		}
		if want == "" && res.Rows != rows {
			t.Errorf("%s: %d rows, want %d", name, res.Rows, rows)
		}
	}
}

// TestShortPages checks that a page with fewer values than its header says is refused: none is
// made up.
func TestShortPages(t *testing.T) {
	numbers := oneColumn(t, 300, int64(5), parquet.WithDictionaryDefault(false),
		parquet.WithEncoding(parquet.Encodings.DeltaBinaryPacked), parquet.WithStats(false))
	texts := oneColumn(t, 300, parquet.ByteArray("five"), parquet.WithDictionaryDefault(false),
		parquet.WithEncoding(parquet.Encodings.DeltaLengthByteArray), parquet.WithStats(false))
	b := array.NewInt64Builder(memory.DefaultAllocator)
	b.AppendValues(slices.Repeat([]int64{5}, 300), nil)
	nullable := parquetFile(t, single(b.NewArray()), parquet.WithDictionaryDefault(false),
		parquet.WithEncoding(parquet.Encodings.DeltaBinaryPacked), parquet.WithStats(false))
	mutants := map[string][]byte{"numbers": numbers, "texts": texts, "nullable": nullable}
	for name, honest := range map[string][]byte{"numbers, short": numbers, "texts, short": texts,
		"nullable, short": nullable} {
		// 128 values in a block of 4 parts, and 300 or 200 values in all
		mutants[name] = bytes.Replace(honest, []byte{0x80, 1, 4, 0xac, 2}, []byte{0x80, 1, 4, 0xc8, 1},
			1)
		if bytes.Equal(mutants[name], honest) {
			t.Fatalf("%s: nothing is replaced", name)
		}
	}
	for path, res := range readMutants(t, Parquet, mutants) {
		name := filepath.Base(path)
		if short := strings.Contains(name, "short"); short != (res.Error != "") {
			t.Errorf("%s: %d rows, error %q", name, res.Rows, res.Error)
		}
	}
}

func arrowStream(t *testing.T, column arrow.Array, options ...ipc.Option) []byte {
	s := arrow.NewSchema([]arrow.Field{{Name: "v", Type: column.DataType(), Nullable: true}}, nil)
	var b bytes.Buffer
	w := ipc.NewWriter(&b, append(options, ipc.WithSchema(s))...)
	rec := array.NewRecordBatch(s, []arrow.Array{column}, int64(column.Len()))
	if err := errors.Join(w.Write(rec), w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestCompressedBufferClaims checks that a compressed Arrow buffer is not believed.
func TestCompressedBufferClaims(t *testing.T) {
	const n = 10_000
	stream := arrowStream(t, array.NewFloat64Data(array.NewData(arrow.PrimitiveTypes.Float64, n,
		[]*memory.Buffer{nil, memory.NewBufferBytes(make([]byte, 8*n))}, nil, 0, 0)),
		ipc.WithZstd())
	honest := binary.LittleEndian.AppendUint64(nil, 8*n)
	mutants := map[string][]byte{"honest": stream}
	for _, claim := range []int64{-2, 8*n - 1, 8*n + 1, 1 << 28, 1 << 40, 1 << 62} {
		lie := binary.LittleEndian.AppendUint64(nil, uint64(claim))
		mutants[fmt.Sprint(claim)] = bytes.Replace(stream, honest, lie, 1)
	}
	for path, res := range readMutants(t, ArrowStream, mutants) {
		name := filepath.Base(path)
		if (name == "honest") != (res.Error == "") || res.Peak > 300<<20 {
			t.Errorf("claim of %s bytes: %d MiB, error %q", name, res.Peak>>20, res.Error)
		}
	}
}

// TestMetadataClaims writes large counts and offsets all over the metadata of a stream.
func TestMetadataClaims(t *testing.T) {
	stream := arrowStream(t, array.NewFloat64Data(array.NewData(arrow.PrimitiveTypes.Float64, 2,
		[]*memory.Buffer{nil, memory.NewBufferBytes(make([]byte, 16))}, nil, 0, 0)))
	mutants := make(map[string][]byte)
	for _, claim := range []uint32{1 << 16, 1 << 28, 1<<31 - 8, 1<<32 - 16} {
		for at := 8; at+4 <= len(stream); at += 4 {
			mutant := bytes.Clone(stream)
			binary.LittleEndian.PutUint32(mutant[at:], claim)
			mutants[fmt.Sprintf("%d-at-%d", claim, at)] = mutant
		}
	}
	for path, res := range readMutants(t, ArrowStream, mutants) {
		if res.Peak > 300<<20 {
			t.Errorf("%s takes %d MiB", filepath.Base(path), res.Peak>>20)
		}
	}
}

// TestIndicesChecked checks that an index outside its dictionary is an error.
func TestIndicesChecked(t *testing.T) {
	indices := arrayOf(t, arrow.PrimitiveTypes.Int8, "[0, 2, null]")
	typ := &arrow.DictionaryType{IndexType: indices.DataType(),
		ValueType: arrow.PrimitiveTypes.Int8}
	mutants := make(map[string][]byte)
	for name, values := range map[string]string{"three": "[1, 2, 3]", "two": "[1, 2]"} {
		dictionary := arrayOf(t, typ.ValueType, values)
		mutants[name] = arrowStream(t, array.NewDictionaryArray(typ, indices, dictionary))
	}
	for path, res := range readMutants(t, ArrowStream, mutants) {
		if (filepath.Base(path) == "three") != (res.Error == "") {
			t.Errorf("indices 0 and 2 into %s values: error %q", filepath.Base(path), res.Error)
		}
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
		if ground.FlatType(typ) {
			t.Errorf("%T is represented", typ)
		}
	}
	for _, typ := range flatTypes() {
		if !ground.FlatType(typ) {
			t.Errorf("%s is not represented", typ)
		}
	}
}
