package workbook

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// Table reads a sheet. Its first row that is not empty names the columns. Cells are text as in a
// text file, or null.
type Table struct {
	ground.Lines
	rowsOf *Rows
	header int64 // row of the sheet that names the columns
}

// OpenTable opens a sheet and reads the names of the columns.
func OpenTable(in ground.Input, opt ground.Options) (_ ground.Source, err error) {
	defer ground.Recover(&err)
	book, err := Open(in.File, in.File.Size())
	if err != nil {
		return nil, &ground.Error{Msg: "the file is not a readable workbook",
			Err: ground.Brief(err), Hint: ground.AgainHint}
	}
	sheet, e := pickSheet(book, opt.Sheet)
	if e != nil {
		return nil, e
	}
	s := &Table{Lines: ground.Lines{Most: opt.BatchRows}}
	if s.rowsOf, err = book.Rows(sheet); err != nil {
		return nil, damage(err)
	}
	s.Done = func() { s.rowsOf.Close() }
	row, err := s.rowsOf.Next()
	for err == nil && row.Line < int64(opt.HeaderRow) {
		row, err = s.rowsOf.Next()
	}
	if opt.HeaderRow > 0 && (err == io.EOF || err == nil && row.Line > int64(opt.HeaderRow)) {
		return nil, ground.NoHeader(opt.HeaderRow, "row")
	}
	if err == io.EOF {
		return nil, &ground.Error{Msg: fmt.Sprintf("sheet %q is empty", book.Sheets[sheet].Name),
			Hint: "begin the sheet with a row that names the columns"}
	}
	if err != nil {
		return nil, damage(err)
	}
	fields := make([]arrow.Field, row.Cells[len(row.Cells)-1].Column+1)
	for i := range fields {
		fields[i] = arrow.Field{Type: arrow.BinaryTypes.String, Nullable: true}
	}
	for _, c := range row.Cells {
		fields[c.Column].Name = c.Text
	}
	ground.NameFirst(fields)
	s.Fields, s.header, s.rowsOf.fields = arrow.NewSchema(fields, nil), row.Line, fields
	if err := ground.CheckNames(s.Fields); err != nil {
		err.Line = row.Line
		return nil, err
	}
	return s, nil
}

// pickSheet returns the sheet with the requested name, else the only visible one.
func pickSheet(book *Book, asked string) (int, *ground.Error) {
	var visible, all []string
	at := -1
	for i, sheet := range book.Sheets {
		all = append(all, sheet.Name)
		if sheet.Name == asked {
			return i, nil
		}
		if !sheet.Hidden {
			visible, at = append(visible, sheet.Name), i
		}
	}
	switch {
	case asked != "":
		return 0, &ground.Error{Msg: fmt.Sprintf("the workbook has no sheet %s", ground.Quote(asked)),
			Hint: "the sheets are " + ground.Listed(all)}
	case len(visible) == 0:
		return 0, &ground.Error{Msg: "the workbook has no visible sheet with cells"}
	case len(visible) > 1:
		e := &ground.Error{Msg: "the workbook has several sheets: " + ground.Listed(visible)}
		return 0, e.Advise("choose one with %s %s", ground.OptionSheet, ground.ShellWord(visible[0]))
	}
	return at, nil
}

// Note returns a note about merged cells.
func (s *Table) Note() string {
	n, first := s.rowsOf.Merged()
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s of merged cells, the first is %s: the value counts for the first cell, "+
		"the other cells are missing", ground.Count(n, "range"), first)
}

// Next reads the next rows, fewer if there are many columns.
func (s *Table) Next(ctx context.Context) (_ *ground.Batch, err error) {
	defer ground.Recover(&err)
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return s.Sparse(s.next)
}

// next returns the next row and its size in bytes.
func (s *Table) next() (row ground.SparseRow, size int, err error) {
	row, err = s.rowsOf.Next()
	if err == io.EOF {
		return row, 0, err
	}
	if err != nil {
		return row, 0, damage(err)
	}
	for _, c := range row.Cells {
		if c.Column >= s.Fields.NumFields() {
			return row, 0, s.beyond(row.Line, c)
		}
		size += len(c.Text) + 32
	}
	return row, size, nil
}

// beyond returns the error for a cell to the right of the named columns.
func (s *Table) beyond(row int64, c ground.SparseCell) error {
	e := &ground.Error{Line: row,
		Msg: fmt.Sprintf("column %s holds %s, but row %d does not name the column",
			Letters(c.Column), ground.Quote(c.Text), s.header)}
	return e.Advise("if there are titles above the table, give the row with the column names, "+
		"such as %s %d; remove remarks beside the table", ground.OptionHeaderRow, row)
}

// damage returns a *ground.Error about a cell, a row or the file.
func damage(err error) error {
	if located, ok := err.(*ground.Error); ok {
		return located
	}
	return &ground.Error{Err: ground.Brief(err), Msg: "the sheet is damaged"}
}

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
