package tabular

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/xuri/excelize/v2"

	"github.com/pfnamp/pfnamp/tabular/internal/workbook"
)

func single(a arrow.Array) arrow.RecordBatch {
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: a.DataType(), Nullable: true}}, nil)
	return array.NewRecordBatch(schema, []arrow.Array{a}, int64(a.Len()))
}

// Values are cells of their own types, in the eyes of another reader and of this one.
func TestSheetCells(t *testing.T) {
	pool := memory.DefaultAllocator
	floats := array.NewFloat64Builder(pool)
	floats.AppendValues([]float64{1.5, -2e-7, math.Inf(1), 1e300, 0.1, math.NaN()}, nil)
	long := array.NewInt64Builder(pool)
	long.AppendValues([]int64{7, 123456789012345, 1234567890123456}, nil)
	truth := array.NewBooleanBuilder(pool)
	truth.AppendValues([]bool{true, false}, nil)
	days := array.NewDate32Builder(pool)
	days.AppendValues([]arrow.Date32{18549, -25510, -25568}, nil) // 2020-10-14, 1900-02-27, 1899-12-31
	times := array.NewTimestampBuilder(pool, &arrow.TimestampType{Unit: arrow.Microsecond})
	times.AppendValues([]arrow.Timestamp{1602637200500000, 1602637200000001, 1602633600000000}, nil)
	texts := array.NewStringBuilder(pool)
	texts.AppendValues([]string{"=1+1", " é, \"x\"\n<&> ", "_x0041_", "\x01", "01067", "-1.50", "1e5",
		"1234567890123456"}, nil)
	const number, inline, boolean = excelize.CellTypeUnset, excelize.CellTypeInlineString,
		excelize.CellTypeBool
	for _, c := range []struct {
		a     arrow.Array
		kinds []excelize.CellType
		want  string // by this package's reader
	}{
		{floats.NewArray(), []excelize.CellType{number, number, inline, number, number, inline},
			"1.5 -2e-07 inf 1e+300 0.1 NaN"},
		{long.NewArray(), []excelize.CellType{number, number, inline},
			"7 123456789012345 1234567890123456"},
		{truth.NewArray(), []excelize.CellType{boolean, boolean}, "true false"},
		{days.NewArray(), []excelize.CellType{number, inline, inline},
			"2020-10-14 1900-02-27 1899-12-31"},
		{times.NewArray(), []excelize.CellType{number, inline, number},
			"2020-10-14T01:00:00.5 2020-10-14T01:00:00.000001 2020-10-14"},
		{texts.NewArray(), []excelize.CellType{inline, inline, inline, inline, inline, number,
			inline, inline},
			"=1+1  é, \"x\"\n<&>  _x0041_ \x01 01067 -1.50 1e5 1234567890123456"},
	} {
		data, err := writing(WriteOptions{Format: Excel}, single(c.a))
		if err != nil {
			t.Fatal(err)
		}
		f, err := excelize.OpenReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.kinds {
			kind, err := f.GetCellType("predictions", fmt.Sprintf("A%d", i+2))
			if err != nil || kind != want {
				t.Errorf("%s: cell %d is of type %d, not %d, %v", c.a.DataType(), i, kind, want, err)
			}
		}
		table, err := readBook(data, "")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i := range int(table.Rows) {
			got = append(got, table.Batches[0].Record.Column(0).ValueStr(i))
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: got\n%q, want\n%q", c.a.DataType(), text, c.want)
		}
	}
}

// Any text comes back as it was.
func TestSheetTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	b := array.NewStringBuilder(memory.DefaultAllocator)
	runes := []rune("_x0041_&<>\"'\t\n\r\x00\x1f\uFFFE𝛼é ab")
	var want []string
	for range 500 {
		var s strings.Builder
		for range 1 + r.IntN(8) {
			s.WriteRune(runes[r.IntN(len(runes))])
		}
		want = append(want, s.String())
	}
	b.AppendValues(want, nil)
	data, err := writing(WriteOptions{Format: Excel}, single(b.NewArray()))
	if err != nil {
		t.Fatal(err)
	}
	table, err := readBook(data, "")
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, batch := range table.Batches {
		for i := range batch.Rows() {
			if got := batch.Record.Column(0).(*array.String).Value(i); got != want[at] {
				t.Errorf("%q became %q", want[at], got)
			}
			at++
		}
	}
	if at != len(want) {
		t.Errorf("%d rows of %d", at, len(want))
	}
}

// What does not fit a sheet is refused.
func TestSheetLimits(t *testing.T) {
	texts := array.NewStringBuilder(memory.DefaultAllocator)
	texts.Append(strings.Repeat("𝛼", workbook.MaxText/2+1))
	_, err := writing(WriteOptions{Format: Excel}, single(texts.NewArray()))
	checkError(t, err,
		`stdout: column "c": a workbook cell holds up to 32767 characters, but this text is longer`)
	if testing.Short() || raceFactor > 1 {
		t.Skip("a sheet of a million rows is slow")
	}
	rows := array.NewNull(workbook.MaxRows)
	if _, err = writing(WriteOptions{Format: Excel}, single(rows)); err == nil ||
		!strings.Contains(err.Error(), "1,048,576 rows") {
		t.Errorf("a row too many: %v", err)
	}
}
