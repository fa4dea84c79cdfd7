package tabular

import (
	"bytes"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/parquet"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// Columns that are not needed are not decoded, so that what is wrong with them is no matter.
func TestSkip(t *testing.T) {
	rec := smallRecord(t)
	honest := parquetFile(t, rec, parquet.WithDictionaryDefault(false))
	data := bytes.Replace(honest, []byte("\x07\x00\x00\x00a & <b>"),
		[]byte("\x7f\x00\x00\x00a & <b>"), 1)
	_, err := readFrom(bytes.NewReader(data), "t.parquet", ReadOptions{})
	checkError(t, err,
		`t.parquet: row 1: column "text": the Parquet data in row group 1 is damaged: the file ends early`)
	text := func(name string) bool { return name == "text" }
	table, err := readFrom(bytes.NewReader(data), "t.parquet", ReadOptions{Skip: text})
	must.Succeed(t, err)
	if got := table.Names(); len(got) != 2 || got[1] != "text" || table.Rows != 3 {
		t.Errorf("%v, %d rows", got, table.Rows)
	}
	if x := table.Batches[0].Record.Column(0).(*array.Float64); x.Value(0) != 1.5 {
		t.Errorf("x is %v", x)
	}
}

// Columns of types that are not supported are named together, with one option that leaves all out.
func TestUnsupportedTogether(t *testing.T) {
	list := arrayOf(t, arrow.ListOf(arrow.PrimitiveTypes.Int64), "[null, null, null]")
	x := numbers(3).Column(0)
	file := bytes.NewReader(parquetFile(t, record("a;b,y,c,x", list, x, list, x)))
	table, err := readFrom(file, "t.parquet", ReadOptions{})
	must.Succeed(t, err)
	_, err = Learn(table, SchemaOptions{Target: "y"})
	checkError(t, err, `t.parquet: 2 columns are of types that are not supported: "a;b", "c"`)
	words := ground.GoWords
	words.Column = func(name string) string { return "<" + name + ">" }
	if hint := err.(*Error).HintWith(words); hint != "leave them out with "+
		"SchemaOptions.Ignore <a;b>,<c>" {
		t.Errorf("hint %q", hint)
	}
	if _, err = Learn(table, SchemaOptions{Target: "y", Ignore: []string{"a;b", "c"}}); err != nil {
		t.Error(err)
	}
}
