package workbook

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// Limits of a sheet by ECMA-376, and of a cell by this package.
const (
	maxRow    = 1 << 20
	maxColumn = 1 << 14
	maxCell   = 1 << 20
)

// Letters returns the name of a column, counted from 0: A, ..., Z, AA.
func Letters(column int) string {
	name := ""
	for n := column + 1; n > 0; n = (n - 1) / 26 {
		name = string(rune('A'+(n-1)%26)) + name
	}
	return name
}

// Rows reads the rows of a sheet.
type Rows struct {
	book   *Book
	part   *part
	fields []arrow.Field    // the named columns, for errors
	row    ground.SparseRow // the last one; Line is its number, from 1
	column int              // the last one of the row
	ended  bool             // all rows have been read

	merged int
	first  string // of the merged ranges
}

// Rows opens a sheet. The caller must close it.
func (b *Book) Rows(sheet int) (*Rows, error) {
	p, err := b.open(b.Sheets[sheet].part)
	if err != nil {
		return nil, err
	}
	return &Rows{book: b, part: p}, nil
}

// Close ends reading.
func (r *Rows) Close() error { return r.part.Close() }

// Merged returns the number of merged ranges and the first of them, after Next has returned io.EOF.
func (r *Rows) Merged() (n int, first string) { return r.merged, r.first }

// Next returns the next row with a non-empty cell, and io.EOF after the last one: its number from
// 1, and its non-empty cells by ascending column. A value is a number in decimal form, true or
// false, a date, a text, or an error such as #N/A.
func (r *Rows) Next() (ground.SparseRow, error) {
	for {
		token, err := r.part.token()
		if err == io.EOF && r.ended {
			return ground.SparseRow{}, io.EOF
		}
		if err != nil {
			return ground.SparseRow{}, r.unfinished(err)
		}
		switch v := token.(type) {
		case xml.StartElement:
			if err := r.start(v); err != nil {
				return ground.SparseRow{}, err
			}
		case xml.EndElement:
			r.ended = r.ended || v.Name.Local == "sheetData"
			if v.Name.Local == "row" && len(r.row.Cells) > 0 {
				return r.row, nil
			}
		}
	}
}

// unfinished returns an error of reading, also for a part that ends before its rows do.
func (r *Rows) unfinished(err error) error {
	if err == io.EOF {
		err = errors.New("the sheet ends early")
	}
	return fmt.Errorf("after row %d: %w", int(r.row.Line), err)
}

// start reads the beginning of an element.
func (r *Rows) start(v xml.StartElement) error {
	switch {
	case v.Name.Local == "mergeCell":
		if r.merged++; r.merged == 1 {
			r.first = attribute(v, "ref")
		}
	case r.ended:
	case v.Name.Local == "row":
		number, err := int(r.row.Line)+1, error(nil)
		if text := attribute(v, "r"); text != "" {
			number, err = strconv.Atoi(text)
		}
		if err != nil || number <= int(r.row.Line) || number > maxRow {
			return fmt.Errorf("row %q follows row %d", attribute(v, "r"), int(r.row.Line))
		}
		r.row, r.column = ground.SparseRow{Line: int64(number)}, -1
	case v.Name.Local == "c":
		return r.cell(v)
	}
	return nil
}

// cell reads a cell.
func (r *Rows) cell(v xml.StartElement) error {
	column, err := r.place(attribute(v, "r"))
	if err != nil {
		return err
	}
	r.column = column
	fail := func(hint, format string, args ...any) error {
		e := &ground.Error{Line: r.row.Line, Hint: hint,
			Msg: fmt.Sprintf("cell %s%d ", Letters(column), r.row.Line) + fmt.Sprintf(format, args...)}
		if column < len(r.fields) {
			e.Column = r.fields[column].Name
		}
		return e
	}
	c, err := r.content()
	if err != nil {
		return err
	}
	if len(c.value) > maxCell {
		return fail("", "is longer than %d bytes", maxCell)
	}
	text, err := r.book.text(attribute(v, "t"), attribute(v, "s"), c.value)
	switch {
	case err != nil:
		return fail("", "%v", err)
	case text == "" && c.formula && !(c.valued && attribute(v, "t") == "str"):
		return fail("open the workbook in a spreadsheet program and save it, so that "+
			"formulas have values",
			"has a formula without a value")
	case text != "":
		kind := attribute(v, "t")
		r.row.Cells = append(r.row.Cells, ground.SparseCell{Column: column, Text: text,
			Number: kind == "" || kind == "n"})
	}
	return nil
}

// place returns the column of a cell from its reference, such as B7, else the one after the last.
func (r *Rows) place(ref string) (int, error) {
	column := r.column + 1
	if ref != "" {
		letters := strings.TrimRight(ref, "0123456789")
		column = -1
		for _, c := range letters {
			if c < 'A' || c > 'Z' || column > maxColumn {
				column = maxColumn
				break
			}
			column = (column+1)*26 + int(c-'A')
		}
		if ref[len(letters):] != strconv.Itoa(int(r.row.Line)) || column < 0 {
			column = maxColumn
		}
	}
	if column <= r.column || column >= maxColumn {
		return 0, &ground.Error{Line: r.row.Line,
			Msg: fmt.Sprintf("the cell reference %q is invalid here", ref)}
	}
	return column, nil
}
