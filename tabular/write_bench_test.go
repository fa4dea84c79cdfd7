package tabular

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// wide is a batch of twenty columns of numbers.
func wide(rows int) arrow.RecordBatch {
	var names []string
	var columns []arrow.Array
	for i := range 20 {
		b := array.NewFloat64Builder(memory.DefaultAllocator)
		for row := range rows {
			b.Append(math.Sin(float64(row*20 + i)))
		}
		names, columns = append(names, fmt.Sprint("x", i)), append(columns, b.NewArray())
	}
	return record(strings.Join(names, ","), columns...)
}

// BenchmarkReadColumnar measures the reading of twenty columns of numbers; bytes are those in
// memory.
func BenchmarkReadColumnar(b *testing.B) {
	for _, format := range []Format{Parquet, ArrowFile, ArrowStream} {
		b.Run(format.String(), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "t")
			rec := wide(16 * DefaultBatchRows)
			w, err := Create(path, rec.Schema(), WriteOptions{Format: format})
			if err != nil {
				b.Fatal(err)
			}
			if err := errors.Join(w.Write(rec), w.Commit()); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(rec.NumRows() * 20 * 8)
			for b.Loop() {
				table, err := ReadAll(b.Context(), path, ReadOptions{Format: format})
				if err != nil || table.Rows != rec.NumRows() {
					b.Fatal(table, err)
				}
			}
		})
	}
}
