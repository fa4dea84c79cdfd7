package workbook

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Limits of a sheet by ECMA-376, and of a cell by this package.
const (
	maxRow    = 1 << 20
	maxColumn = 1 << 14
	maxCell   = 1 << 20
)

// Row is a row of a sheet: its number from 1, and its non-empty cells, at least one, by ascending
// column.
type Row struct {
	Number int
	Cells  []Cell
}

// Cell is a cell: its column from 0, and its value, which is a number in decimal form, true or
// false, a date, a text, or an error such as #N/A.
type Cell struct {
	Column int
	Text   string
	Number bool // a number, or a date, and not a text that looks like one
}

// CellError reports an error in a cell or a row.
type CellError struct {
	Row    int
	Column int // from 0, -1 for the row
	Msg    string
	Hint   string
}

// Error returns the position of the cell and the message.
func (e *CellError) Error() string {
	if e.Column < 0 {
		return e.Msg
	}
	return fmt.Sprintf("cell %s%d %s", Letters(e.Column), e.Row, e.Msg)
}

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
	row    Row  // the last one
	column int  // the last one of the row
	ended  bool // all rows have been read

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

// Next returns the next row with a non-empty cell, and io.EOF after the last one. It fails with a
// *CellError if a cell or a row is wrong.
func (r *Rows) Next() (Row, error) {
	for {
		token, err := r.part.token()
		if err == io.EOF && r.ended {
			return Row{}, io.EOF
		}
		if err != nil {
			return Row{}, r.unfinished(err)
		}
		switch v := token.(type) {
		case xml.StartElement:
			if err := r.start(v); err != nil {
				return Row{}, err
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
	return fmt.Errorf("after row %d: %w", r.row.Number, err)
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
		number, err := r.row.Number+1, error(nil)
		if text := attribute(v, "r"); text != "" {
			number, err = strconv.Atoi(text)
		}
		if err != nil || number <= r.row.Number || number > maxRow {
			return fmt.Errorf("row %q follows row %d", attribute(v, "r"), r.row.Number)
		}
		r.row, r.column = Row{Number: number}, -1
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
		return &CellError{r.row.Number, column, fmt.Sprintf(format, args...), hint}
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
		r.row.Cells = append(r.row.Cells, Cell{column, text, kind == "" || kind == "n"})
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
		if ref[len(letters):] != strconv.Itoa(r.row.Number) || column < 0 {
			column = maxColumn
		}
	}
	if column <= r.column || column >= maxColumn {
		return 0, &CellError{r.row.Number, -1, fmt.Sprintf("the cell reference %q is invalid here",
			ref), ""}
	}
	return column, nil
}

// content is the content of a cell.
type content struct {
	value           string
	formula, valued bool // the element is present
}

// content reads the content of a cell.
func (r *Rows) content() (c content, err error) {
	var text textReader // of an inline string
	var number strings.Builder
	inside := false
	for {
		token, err := r.part.token()
		if err != nil {
			return c, r.unfinished(err)
		}
		text.take(token)
		switch v := token.(type) {
		case xml.StartElement:
			inside = inside || v.Name.Local == "v"
			c.valued = c.valued || inside
			c.formula = c.formula || v.Name.Local == "f"
		case xml.CharData:
			if inside {
				number.Write(v)
			}
		case xml.EndElement:
			inside = inside && v.Name.Local != "v"
			if v.Name.Local == "c" {
				c.value = number.String() + text.String()
				return c, nil
			}
		}
		if number.Len()+text.Len() > 2*maxCell {
			c.value = number.String() + text.String()
			return c, nil
		}
	}
}

// text returns the value of a cell of a type and a style.
func (b *Book) text(kind, style, value string) (string, error) {
	switch kind {
	case "s":
		i, err := strconv.Atoi(value)
		if err != nil || i < 0 || i >= len(b.strings) {
			return "", fmt.Errorf("refers to the text %q, which the workbook does not have", value)
		}
		return b.strings[i], nil
	case "str", "inlineStr":
		return unescape(value), nil
	case "b":
		switch value {
		case "1", "true":
			return "true", nil
		case "0", "false", "":
			return map[bool]string{true: "", false: "false"}[value == ""], nil
		}
		return "", fmt.Errorf("is %q, neither true nor false", value)
	case "d", "e":
		return value, nil
	case "", "n":
		return b.number(style, strings.TrimSpace(value))
	}
	return "", fmt.Errorf("has the unknown type %q", kind)
}

// number returns the value of a cell that holds a number, or a date if its style shows one.
func (b *Book) number(style, value string) (string, error) {
	if value == "" {
		return "", nil
	}
	x, err := strconv.ParseFloat(value, 64)
	if err != nil || strings.Trim(value, "0123456789+-.eE") != "" {
		return "", fmt.Errorf("holds %q, which is not a number", value)
	}
	if i, err := strconv.Atoi(style); err == nil && i >= 0 && i < len(b.dates) && b.dates[i] {
		date, err := b.isoDate(x)
		if err != nil {
			return "", fmt.Errorf("%s %w", value, err)
		}
		return date, nil
	}
	return value, nil
}
