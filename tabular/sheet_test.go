package tabular

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/pfnamp/pfnamp/internal/must"
)

// writeBook is a workbook that excelize writes, with cells by sheet and reference.
func writeBook(t testing.TB, edit func(f *excelize.File) error) []byte {
	t.Helper()
	f := excelize.NewFile()
	var b bytes.Buffer
	must.Succeed(t, errors.Join(edit(f), f.Write(&b), f.Close()))
	return b.Bytes()
}

// setRows writes rows to a sheet, from A1 on.
func setRows(f *excelize.File, sheet string, rows ...[]any) error {
	for i, row := range rows {
		if err := f.SetSheetRow(sheet, fmt.Sprintf("A%d", i+1), &row); err != nil {
			return err
		}
	}
	return nil
}

// readBook reads a workbook to its end.
func readBook(data []byte, sheet string) (*Table, error) {
	return readFrom(bytes.NewReader(data), "t.xlsx", ReadOptions{Sheet: sheet})
}

// Numbers, texts, truth values and dates of a workbook are cells; what is empty is missing.
func TestWorkbook(t *testing.T) {
	day := time.Date(2020, 10, 14, 0, 0, 0, 0, time.UTC)
	data := writeBook(t, func(f *excelize.File) error {
		german, err := f.NewStyle(&excelize.Style{CustomNumFmt: text(`[$-407]DD.MM.YYYY;@`)})
		plain, err2 := f.NewStyle(&excelize.Style{CustomNumFmt: text(`0.00 "days"`)})
		return errors.Join(err, err2,
			setRows(f, "Sheet1", []any{"n", "text & <more>", "b", "day", "time", "y"},
				[]any{1.5, "é,\n\"x\"", true, day, day.Add(90 * time.Minute), 1},
				[]any{nil, "NA", false, 44119, nil, 2e-7}, nil,
				[]any{0.1, nil, nil, nil, nil, 12345678901234567.0}),
			f.SetCellStyle("Sheet1", "D2", "D5", german), f.SetCellStyle("Sheet1", "A2", "A5", plain))
	})
	table, err := readBook(data, "")
	must.Succeed(t, err)
	want := "n: 1.5 - 0.1\ntext & <more>: é,\n\"x\" NA -\nb: true false -\n" +
		"day: 2020-10-14 2020-10-15 -\ntime: 2020-10-14T01:30:00 - -\ny: 1 0.0000002 12345678901234568\n"
	if got := jsonCells(t, table); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := fmt.Sprint(table.Batches[0].Lines); got != "[2 3 5]" {
		t.Errorf("rows %s", got)
	}
	var kinds []string
	for _, c := range learned(t, table, SchemaOptions{Target: "y"}).Columns {
		kinds = append(kinds, c.Kind.String())
	}
	if got := fmt.Sprint(kinds); got != "[numeric categorical boolean date timestamp]" {
		t.Errorf("kinds %s", got)
	}
}

func text(s string) *string { return &s }

// A workbook with several visible sheets needs a name, one visible sheet is read without a name,
// and notes count merged cells and hidden rows.
func TestSheets(t *testing.T) {
	two := writeBook(t, func(f *excelize.File) error {
		_, err := f.NewSheet("it's two")
		return errors.Join(err, setRows(f, "Sheet1", []any{"a"}, []any{1}),
			setRows(f, "it's two", []any{"b", "c"}, []any{"x", 1}, []any{nil, 2}, []any{"y", 3}),
			f.MergeCell("it's two", "A2", "A3"), f.SetRowVisible("it's two", 4, false))
	})
	_, err := readBook(two, "")
	checkError(t, err, `t.xlsx: the workbook has several sheets: "Sheet1", "it's two"`)
	if e, ok := err.(*Error); !ok ||
		e.HintWith(shellWords) != "choose one with ReadOptions.Sheet Sheet1" {
		t.Errorf("hint of %v", err)
	}
	table, err := readBook(two, "it's two")
	if err != nil || jsonCells(t, table) != "b: x - y\nc: 1 2 3\n" {
		t.Errorf("%v", err)
	}
	const note = "1 range of merged cells, the first is A2:A3: the value counts for the first cell, " +
		"the other cells are missing; pfnamp reads 1 hidden row like the others"
	if len(table.Notes) != 1 || table.Notes[0] != note {
		t.Errorf("notes %q", table.Notes)
	}
	_, err = readBook(two, "three")
	checkError(t, err, `t.xlsx: the workbook has no sheet "three"`)
	hidden := writeBook(t, func(f *excelize.File) error {
		_, err := f.NewSheet("notes")
		return errors.Join(err, setRows(f, "Sheet1", []any{"a"}, []any{1}),
			f.SetSheetVisible("notes", false))
	})
	if table, err := readBook(hidden, ""); err != nil || table.Rows != 1 {
		t.Errorf("a hidden sheet: %v", err)
	}
}

func TestSheetErrors(t *testing.T) {
	for _, c := range []struct {
		want string
		edit func(f *excelize.File) error
	}{
		{`t.xlsx: sheet "Sheet1" is empty`, func(f *excelize.File) error { return nil }},
		{`t.xlsx:3: column C holds "7", but row 1 does not name the column`, func(f *excelize.File) error {
			return setRows(f, "Sheet1", []any{"a", "b"}, []any{1, 2}, []any{1, 2, 7})
		}},
		{"t.xlsx:1: some column names occur more than once: \"a\"", func(f *excelize.File) error {
			return setRows(f, "Sheet1", []any{"a", "a"}, []any{1, 2})
		}},
		{"t.xlsx:1: some column names are empty, at position 2", func(f *excelize.File) error {
			return setRows(f, "Sheet1", []any{"a", nil, "c"}, []any{1, 2, 3})
		}},
		{`t.xlsx:2: column "b": cell B2 has a formula without a value`, func(f *excelize.File) error {
			return errors.Join(setRows(f, "Sheet1", []any{"a", "b"}, []any{1}),
				f.SetCellFormula("Sheet1", "B2", "A2+1"))
		}},
	} {
		_, err := readBook(writeBook(t, c.edit), "")
		checkError(t, err, c.want)
	}
	empty := writeBook(t, func(*excelize.File) error { return nil })
	_, err := OpenReader(io.MultiReader(bytes.NewReader(empty)), "stdin", ReadOptions{})
	checkError(t, err, "stdin: a file of format xlsx cannot be read from a pipe")
	_, err = readBook([]byte("a,b\n1,2\n"), "")
	checkError(t, err, "t.xlsx: the file is not a readable workbook: "+
		"workbooks are zip archives; this is not one")
}

// Without a name, a workbook is recognised by its first part. It may be damaged anywhere.
func TestWorkbookMutants(t *testing.T) {
	data := writeBook(t, func(f *excelize.File) error {
		return setRows(f, "Sheet1", []any{"a", "b"}, []any{1, "x"}, []any{2, true})
	})
	if r, err := OpenReader(bytes.NewReader(data), "t", ReadOptions{}); err != nil ||
		r.Format() != Excel {
		t.Errorf("%v", err)
	}
	for i := 0; i < len(data); i += 2 + raceFactor {
		mutant := bytes.Clone(data)
		mutant[i] ^= byte(1 + i%255)
		if bad := checkWords(readBytes(mutant, "mutant.xlsx", Excel)); bad != nil {
			t.Errorf("byte %d: %v", i, bad)
		}
		if i%60 == 0 {
			if err := readBytes(data[:i], "cut.xlsx", Excel); err == nil || checkWords(err) != nil {
				t.Errorf("cut at %d: %v", i, err)
			}
		}
	}
}
