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
)

// equal is so many equal rows of a column without nulls.
func equal[T any](rows int, value T) arrow.RecordBatch {
	var b array.Builder
	switch v := any(value).(type) {
	case int64:
		b = array.NewInt64Builder(memory.DefaultAllocator)
		b.(*array.Int64Builder).AppendValues(slices.Repeat([]int64{v}, rows), nil)
	case string:
		b = array.NewStringBuilder(memory.DefaultAllocator)
		b.(*array.StringBuilder).AppendValues(slices.Repeat([]string{v}, rows), nil)
	}
	return record("v", b.NewArray())
}

// TestBombs reads small files of very many or very large values in bounded memory.
func TestBombs(t *testing.T) {
	const rows = 50 / (raceFactor * raceFactor) * 100_000
	long := equal(2100, strings.Repeat("x", 64<<10)) // more than a page and a batch may hold
	mutants := map[string][]byte{
		"rows": repeatedFile(t, rows/100_000, equal(100_000, int64(5)),
			parquet.WithMaxRowGroupLength(rows)),
		"page": parquetFile(t, long, parquet.WithDictionaryDefault(false),
			parquet.WithDataPageSize(1<<30), parquet.WithCompression(compress.Codecs.Zstd)),
		"strings": parquetFile(t, long),
		"prefixes": parquetFile(t, long, parquet.WithDictionaryDefault(false),
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

// TestDeltaBlocks checks that a page whose delta encoding declares large blocks is refused before
// they are allocated.
func TestDeltaBlocks(t *testing.T) {
	mutants := make(map[string][]byte)
	for encoding, rec := range map[parquet.Encoding]arrow.RecordBatch{
		parquet.Encodings.DeltaBinaryPacked: equal(300, int64(5)),
		parquet.Encodings.DeltaByteArray:    equal(300, "five"),
	} {
		honest := parquetFile(t, rec, parquet.WithDictionaryDefault(false), parquet.WithStats(false),
			parquet.WithEncoding(encoding))
		// the last sequence of 300 values: blocks of 128 values, or 128 << 23, in 4 parts
		at := bytes.LastIndex(honest, []byte{0x80, 1, 4, 0xac, 2})
		mutants[encoding.String()] = slices.Concat(honest[:at], []byte{0x80, 0x80, 0x80, 0x80, 4, 1,
			0xac, 2, 10, 0, 0}, honest[at+11:])
	}
	for path, res := range readMutants(t, Parquet, mutants) {
		if !strings.Contains(res.Error, "a delta block has 1073741824 values in 1 parts") {
			t.Errorf("%s: %d rows, error %q", filepath.Base(path), res.Rows, res.Error)
		}
	}
}

// TestShortPages checks that a page with fewer values than its header says is refused: none is
// made up.
func TestShortPages(t *testing.T) {
	short := []parquet.WriterProperty{parquet.WithDictionaryDefault(false),
		parquet.WithEncoding(parquet.Encodings.DeltaBinaryPacked), parquet.WithStats(false)}
	numbers := parquetFile(t, equal(300, int64(5)), short...)
	nullable := parquetFile(t, single(equal(300, int64(5)).Column(0)), short...)
	short[1] = parquet.WithEncoding(parquet.Encodings.DeltaLengthByteArray)
	texts := parquetFile(t, equal(300, "five"), short...)
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
	rec := single(column)
	var b bytes.Buffer
	w := ipc.NewWriter(&b, append(options, ipc.WithSchema(rec.Schema()))...)
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
