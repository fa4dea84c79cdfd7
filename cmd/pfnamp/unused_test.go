package main

import (
	"os"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/internal/must"
)

// TestUnusedColumns predicts with columns that cannot be read: one hint, pasted, leaves all of them
// out, and those of TEST that nothing uses are no matter.
func TestUnusedColumns(t *testing.T) {
	besideTiny(t)
	writeLists(t, "t.parquet")
	write(t, "plain.csv", "\"y, €\",x\n1,2\n2,3\n3,5\n4,4\n")
	// the target as a hint quotes it
	const flags = ` -y '"y, €"' --chains 20 -q -o o.csv`
	const advice = "hint: leave them out with --ignore "
	_, message := ends(t, "predict t.parquet t.parquet"+flags, fault.ExitInput,
		"2 columns are of types", advice)
	_, pasted, _ := strings.Cut(message, advice)
	ignore := " --ignore '" + strings.ReplaceAll(strings.TrimSpace(pasted), "'", "") + "'"
	ends(t, "predict t.parquet t.parquet"+ignore+flags, fault.ExitOK)
	ends(t, "predict plain.csv t.parquet"+flags, fault.ExitOK)
	ends(t, `predict plain.csv t.parquet --keep 'c,"a, b"'`+flags, fault.ExitInput, `"c", "a, b"`)
}

// writeLists writes a Parquet file of two numbers and two lists.
func writeLists(t *testing.T, path string) {
	t.Helper()
	list, number := arrow.ListOf(arrow.PrimitiveTypes.Int64), arrow.PrimitiveTypes.Float64
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{
		{Name: "a, b", Type: list, Nullable: true}, {Name: "y, €", Type: number},
		{Name: "c", Type: list, Nullable: true}, {Name: "x", Type: number}}, nil))
	for i := range 5 {
		b.Field(0).AppendNull()
		b.Field(1).(*array.Float64Builder).Append(float64(i))
		b.Field(2).AppendNull()
		b.Field(3).(*array.Float64Builder).Append(float64(i * i % 4))
	}
	file, err := os.Create(path)
	must.Succeed(t, err)
	w, err := pqarrow.NewFileWriter(b.Schema(), file, nil, pqarrow.DefaultWriterProps())
	if err == nil {
		err = w.Write(b.NewRecordBatch())
	}
	if err == nil {
		err = w.Close()
	}
	must.Succeed(t, err)
}
