package tabular

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// TestBatchesLeaveNoTrace writes the same rows in batches of different sizes.
func TestBatchesLeaveNoTrace(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "x", Type: arrow.PrimitiveTypes.Float64},
		{Name: "s", Type: arrow.BinaryTypes.String, Nullable: true},
	}, nil)
	builder := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	const rows = 2*ground.GroupRows + 77
	for i := range rows {
		builder.Field(0).(*array.Float64Builder).Append(float64(i) / 7)
		if i%5 == 0 {
			builder.Field(1).AppendNull()
		} else {
			builder.Field(1).(*array.StringBuilder).Append(string(rune('a' + i%26)))
		}
	}
	whole := builder.NewRecordBatch()
	for _, format := range []Format{Parquet, ArrowFile, ArrowStream, CSV} {
		want := writeInPieces(t, whole, format, func() int64 { return rows })
		random := rand.New(rand.NewPCG(1, 2))
		for name, size := range map[string]func() int64{
			"small":  func() int64 { return 1000 },
			"random": func() int64 { return 1 + random.Int64N(3*ground.GroupRows/2) },
		} {
			if got := writeInPieces(t, whole, format, size); !bytes.Equal(got, want) {
				t.Errorf("%v: %s batches give other bytes", format, name)
			}
		}
	}
}

func writeInPieces(t *testing.T, whole arrow.RecordBatch, format Format, size func() int64) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := Create("-", whole.Schema(), WriteOptions{Format: format, Stdout: &out})
	if err != nil {
		t.Fatal(err)
	}
	for first := int64(0); first < whole.NumRows(); {
		last := min(first+size(), whole.NumRows())
		if err := w.Write(whole.NewSlice(first, last)); err != nil {
			t.Fatal(err)
		}
		first = last
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
