package tabular

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/xuri/excelize/v2"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular/internal/workbook"
)

func single(a arrow.Array) arrow.RecordBatch {
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: a.DataType(), Nullable: true}}, nil)
	return array.NewRecordBatch(schema, []arrow.Array{a}, int64(a.Len()))
}

// Values are cells of their own types, in the eyes of another reader and of this one.
func TestSheetCells(t *testing.T) {
	floats := array.NewFloat64Builder(memory.DefaultAllocator)
	floats.AppendValues([]float64{1.5, -2e-7, math.Inf(1), 1e300, 0.1, math.NaN()}, nil)
	const number, inline, boolean = excelize.CellTypeUnset, excelize.CellTypeInlineString,
		excelize.CellTypeBool
	for _, c := range []struct {
		a     arrow.Array
		kinds []excelize.CellType
		want  string // by this package's reader
	}{
		{floats.NewArray(), []excelize.CellType{number, number, inline, number, number, inline},
			"1.5 -2e-07 inf 1e+300 0.1 NaN"},
		{arrayOf(t, arrow.PrimitiveTypes.Int64, "[7, 123456789012345, 1234567890123456]"),
			[]excelize.CellType{number, number, inline}, "7 123456789012345 1234567890123456"},
		{arrayOf(t, arrow.FixedWidthTypes.Boolean, "[true, false]"),
			[]excelize.CellType{boolean, boolean}, "true false"},
		{arrayOf(t, arrow.FixedWidthTypes.Date32, `["2020-10-14", "1900-02-27", "1899-12-31"]`),
			[]excelize.CellType{number, inline, inline}, "2020-10-14 1900-02-27 1899-12-31"},
		{arrayOf(t, &arrow.TimestampType{Unit: arrow.Microsecond}, `["2020-10-14 01:00:00.5",
			"2020-10-14 01:00:00.000001", "2020-10-14 00:00:00"]`),
			[]excelize.CellType{number, inline, number},
			"2020-10-14T01:00:00.5 2020-10-14T01:00:00.000001 2020-10-14"},
		{arrayOf(t, arrow.BinaryTypes.String, `["=1+1", " é, \"x\"\n<&> ", "_x0041_", "\u0001",
			"01067", "-1.50", "1e5", "1234567890123456", "2020-02-29", "2020-02-30",
			"2020-02-29 10:00:00", "2020-02-29T10:00:00Z", "1899-01-01"]`),
			[]excelize.CellType{inline, inline, inline, inline, inline, number, inline, inline, number,
				inline, number, inline, inline},
			"=1+1  é, \"x\"\n<&>  _x0041_ \x01 01067 -1.50 1e5 1234567890123456 " +
				"2020-02-29 2020-02-30 2020-02-29T10:00:00 2020-02-29T10:00:00Z 1899-01-01"},
	} {
		data := written(t, WriteOptions{Format: Excel}, single(c.a))
		f, err := excelize.OpenReader(bytes.NewReader(data))
		must.Succeed(t, err)
		for i, want := range c.kinds {
			kind, err := f.GetCellType("predictions", fmt.Sprintf("A%d", i+2))
			if err != nil || kind != want {
				t.Errorf("%s: cell %d is of type %d, not %d, %v", c.a.DataType(), i, kind, want, err)
			}
		}
		table, err := readBook(data, "")
		must.Succeed(t, err)
		var got []string
		for _, row := range textCells(table) {
			got = append(got, row...)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: got\n%q, want\n%q", c.a.DataType(), text, c.want)
		}
	}
}

// Six digits are seen, in columns that are wide enough for their names.
func TestSheetLooks(t *testing.T) {
	b := array.NewFloat64Builder(memory.DefaultAllocator)
	values := []float64{260.4060368850643, -1.23456789e-5, 1234567.891, 1.5, 0.0123456789, 42,
		0.30000000000000004,
		9.99999999, 1e300}
	b.AppendValues(values, nil)
	f, err := excelize.OpenReader(bytes.NewReader(written(t, WriteOptions{Format: Excel},
		single(b.NewArray()))))
	must.Succeed(t, err)
	for i, want := range []string{"260.406", "-1.23457E-05", "1234568", "1.5", "0.012346", "42",
		"0.300000", "10.00000", "1E+300"} {
		got, err := f.GetCellValue("predictions", fmt.Sprintf("A%d", i+2))
		if err != nil || got != want {
			t.Errorf("%v is shown as %s, not %s, %v", values[i], got, want, err)
		}
	}
	if width, err := f.GetColWidth("predictions", "A"); err != nil || width != 11 {
		t.Errorf("a column is %v wide, %v", width, err)
	}
}

// What does not fit a sheet is refused.
func TestSheetLimits(t *testing.T) {
	text := arrayOf(t, arrow.BinaryTypes.String, `["`+strings.Repeat("𝛼", workbook.MaxText/2+1)+`"]`)
	_, err := writing(WriteOptions{Format: Excel}, single(text))
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
