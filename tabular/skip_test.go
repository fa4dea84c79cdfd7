package tabular

import (
	"bytes"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// withInt96 is a Parquet file of a number and of a timestamp to the nanosecond, as INT96.
func withInt96(t *testing.T) []byte {
	t.Helper()
	number, err := schema.NewPrimitiveNode("x", parquet.Repetitions.Required, parquet.Types.Double, -1,
		-1)
	if err != nil {
		t.Fatal(err)
	}
	stamp := schema.NewInt96Node("at", parquet.Repetitions.Required, -1)
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required,
		schema.FieldList{number, stamp}, -1)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := file.NewParquetWriter(&out, root)
	group, err := w.AppendRowGroupChecked()
	if err != nil {
		t.Fatal(err)
	}
	for _, write := range []func(file.ColumnChunkWriter) (int64, error){
		func(c file.ColumnChunkWriter) (int64, error) {
			return c.(*file.Float64ColumnChunkWriter).WriteBatch([]float64{1, 2}, nil, nil)
		},
		func(c file.ColumnChunkWriter) (int64, error) {
			at := parquet.Int96{0: 1} // a nanosecond after midnight
			return c.(*file.Int96ColumnChunkWriter).WriteBatch([]parquet.Int96{at, at}, nil, nil)
		},
	} {
		c, err := group.NextColumn()
		if err == nil {
			_, err = write(c)
		}
		if err == nil {
			err = c.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Columns that are not needed are not decoded, so that what is wrong with them is no matter.
func TestSkip(t *testing.T) {
	data := withInt96(t)
	_, err := readParquet(data, ReadOptions{})
	checkError(t, err,
		`t.parquet: row 1: column "at": INT96 timestamps finer than a microsecond are not supported`)
	if e := err.(*Error); !strings.HasSuffix(e.HintWith(ground.GoWords), "SchemaOptions.Ignore at") {
		t.Errorf("hint %q", e.Hint)
	}
	table, err := readParquet(data, ReadOptions{Skip: func(name string) bool { return name == "at" }})
	if err != nil {
		t.Fatal(err)
	}
	if got := table.Names(); len(got) != 2 || got[1] != "at" || table.Rows != 2 {
		t.Errorf("%v, %d rows", got, table.Rows)
	}
	if x := table.Batches[0].Record.Column(0).(*array.Float64); x.Value(1) != 2 {
		t.Errorf("x is %v", x)
	}
}

// Columns of types that are not supported are named together, with one option that leaves all out.
func TestUnsupportedTogether(t *testing.T) {
	list := arrow.ListOf(arrow.PrimitiveTypes.Int64)
	fields := []arrow.Field{{Name: "a, b", Type: list},
		{Name: "y", Type: arrow.PrimitiveTypes.Float64},
		{Name: "c", Type: list}, {Name: "x", Type: arrow.PrimitiveTypes.Float64}}
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields, nil))
	for range 3 {
		b.Field(0).AppendNull()
		b.Field(2).AppendNull()
		b.Field(1).(*array.Float64Builder).Append(1)
		b.Field(3).(*array.Float64Builder).Append(1)
	}
	table, err := readParquet(parquetFile(t, b.NewRecordBatch()), ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Learn(table, SchemaOptions{Target: "y"})
	checkError(t, err, `t.parquet: 2 columns are of types that are not supported: "a, b", "c"`)
	words := ground.GoWords
	words.Column = func(name string) string { return "<" + name + ">" }
	if hint := err.(*Error).HintWith(words); hint != "leave them out with "+
		"SchemaOptions.Ignore <a, b>,<c>" {
		t.Errorf("hint %q", hint)
	}
	if _, err = Learn(table, SchemaOptions{Target: "y", Ignore: []string{"a, b", "c"}}); err != nil {
		t.Error(err)
	}
}
