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
	book   *Book
	part   *part
	header int64            // row of the sheet that names the columns
	row    ground.SparseRow // the last one; Line is its number, from 1
	column int              // the last one of the row
	ended  bool             // all rows have been read

	merged, hidden int
	firstMerged    string
}

// OpenTable opens a sheet and reads the names of the columns.
func OpenTable(in ground.Input, opt ground.Options) (_ ground.Source, err error) {
	defer ground.Recover(&err)
	book, err := Open(in.File, in.File.Size())
	if err != nil {
		return nil, ground.Blame("the file is not a readable workbook", ground.AgainHint, err)
	}
	sheet, e := pickSheet(book, opt.Sheet)
	if e != nil {
		return nil, e
	}
	p, err := book.open(sheet.part)
	if err != nil {
		return nil, ground.Blame("the sheet is damaged", "", err)
	}
	s := &Table{book: book, part: p, Lines: ground.Lines{Most: opt.BatchRows}}
	row, err := s.read()
	for err == nil && row.Line < int64(opt.HeaderRow) {
		row, err = s.read()
	}
	if opt.HeaderRow > 0 && (err == io.EOF || err == nil && row.Line > int64(opt.HeaderRow)) {
		return nil, ground.NoHeader(opt.HeaderRow, "row")
	}
	if err == io.EOF {
		return nil, &ground.Error{Msg: fmt.Sprintf("sheet %q is empty", sheet.Name),
			Hint: "begin the sheet with a row that names the columns"}
	}
	if err != nil {
		return nil, ground.Blame("the sheet is damaged", "", err)
	}
	fields := make([]arrow.Field, row.Cells[len(row.Cells)-1].Column+1)
	for i := range fields {
		fields[i] = arrow.Field{Type: arrow.BinaryTypes.String, Nullable: true}
	}
	for _, c := range row.Cells {
		fields[c.Column].Name = c.Text
	}
	ground.NameFirst(fields)
	s.Fields, s.header = arrow.NewSchema(fields, nil), row.Line
	if err := ground.CheckHeader(s.Fields, row.Line); err != nil {
		return nil, err
	}
	return s, nil
}

// pickSheet returns the sheet with the requested name, else the only visible one.
func pickSheet(book *Book, asked string) (Sheet, *ground.Error) {
	var visible, all []string
	var only Sheet
	for _, sheet := range book.Sheets {
		all = append(all, sheet.Name)
		if sheet.Name == asked {
			return sheet, nil
		}
		if !sheet.Hidden {
			visible, only = append(visible, sheet.Name), sheet
		}
	}
	switch {
	case asked != "":
		return only, &ground.Error{Msg: fmt.Sprintf("the workbook has no sheet %s", ground.Quote(asked)),
			Hint: "the sheets are " + ground.Listed(all)}
	case len(visible) == 0:
		return only, &ground.Error{Msg: "the workbook has no visible sheet with cells"}
	case len(visible) > 1:
		e := &ground.Error{Msg: "the workbook has several sheets: " + ground.Listed(visible)}
		return only, e.Advise("choose one with %s %s", ground.OptionSheet, ground.ShellWord(visible[0]))
	}
	return only, nil
}

// Note returns notes about merged cells and hidden rows.
func (s *Table) Note() string {
	var notes []string
	if s.merged > 0 {
		notes = append(notes, fmt.Sprintf("%s of merged cells, the first is %s: the value counts for "+
			"the first cell, the other cells are missing", ground.Count(s.merged, "range"), s.firstMerged))
	}
	if s.hidden > 0 {
		notes = append(notes, "pfnamp reads "+ground.Count(s.hidden, "hidden row")+" like the others")
	}
	return strings.Join(notes, "; ")
}

// Next reads the next rows, fewer if there are many columns.
func (s *Table) Next(context.Context) (_ *ground.Batch, err error) {
	defer ground.Recover(&err)
	return s.Sparse(s.next)
}

func (s *Table) next() (row ground.SparseRow, size int, err error) {
	row, err = s.read()
	if err == io.EOF {
		return row, 0, err
	}
	if err != nil {
		return row, 0, ground.Blame("the sheet is damaged", "", err)
	}
	for _, c := range row.Cells {
		if c.Column >= s.Fields.NumFields() {
			e := &ground.Error{Line: row.Line,
				Msg: fmt.Sprintf("column %s holds %s, but row %d does not name the column",
					Letters(c.Column), ground.Quote(c.Text), s.header)}
			return row, 0, e.Advise("if there are titles above the table, give the row with the column "+
				"names, such as %s %d; remove remarks beside the table", ground.OptionHeaderRow, row.Line)
		}
		size += len(c.Text) + 32
	}
	return row, size, nil
}

// Letters returns the name of a column, counted from 0: A, ..., Z, AA.
func Letters(column int) string {
	name := ""
	for n := column + 1; n > 0; n = (n - 1) / 26 {
		name = string(rune('A'+(n-1)%26)) + name
	}
	return name
}

// read returns the next row with a non-empty cell, and io.EOF after the last one: its number from
// 1, and its non-empty cells by ascending column. A value is a number in decimal form, true or
// false, a date, a text, or an error such as #N/A.
func (s *Table) read() (ground.SparseRow, error) {
	for {
		token, err := s.part.RawToken()
		if err == io.EOF && s.ended {
			return ground.SparseRow{}, io.EOF
		}
		switch v := token.(type) {
		case xml.StartElement:
			err = s.start(v)
		case xml.EndElement:
			s.ended = s.ended || v.Name.Local == "sheetData"
			if v.Name.Local == "row" && len(s.row.Cells) > 0 {
				return s.row, nil
			}
		}
		if _, located := err.(*ground.Error); located {
			return ground.SparseRow{}, err
		}
		if err == io.EOF {
			err = errors.New("the sheet ends early")
		}
		if err != nil {
			return ground.SparseRow{}, fmt.Errorf("after row %d: %w", s.row.Line, err)
		}
	}
}

func (s *Table) start(v xml.StartElement) error {
	switch {
	case v.Name.Local == "mergeCell":
		if s.merged++; s.merged == 1 {
			s.firstMerged = attribute(v, "ref")
		}
	case s.ended:
	case v.Name.Local == "row":
		number, err := int(s.row.Line)+1, error(nil)
		if text := attribute(v, "r"); text != "" {
			number, err = strconv.Atoi(text)
		}
		if err != nil || number <= int(s.row.Line) || number > MaxRows {
			return fmt.Errorf("row %q follows row %d", attribute(v, "r"), s.row.Line)
		}
		s.row, s.column = ground.SparseRow{Line: int64(number)}, -1
		if hidden := attribute(v, "hidden"); hidden == "1" || hidden == "true" {
			s.hidden++
		}
	case v.Name.Local == "c":
		return s.cell(attribute(v, "r"), attribute(v, "t"), attribute(v, "s"))
	}
	return nil
}

func attribute(start xml.StartElement, name string) string {
	for _, a := range start.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (s *Table) cell(ref, kind, style string) (err error) {
	if s.column, err = s.place(ref); err != nil {
		return err
	}
	c, err := s.part.content()
	if err != nil {
		return err
	}
	fail := func(hint, format string, args ...any) error {
		e := &ground.Error{Line: s.row.Line, Hint: hint, Msg: fmt.Sprintf("cell %s%d ",
			Letters(s.column), s.row.Line) + fmt.Sprintf(format, args...)}
		if s.Fields != nil && s.column < s.Fields.NumFields() {
			e.Column = s.Fields.Field(s.column).Name
		}
		return e
	}
	text, err := s.book.text(kind, style, c.value)
	switch {
	case err != nil:
		return fail("", "%v", err)
	case len(text) > ground.MaxCell:
		return fail("", "is longer than %d bytes", ground.MaxCell)
	case text == "" && c.formula && !(c.valued && kind == "str"):
		return fail("open the workbook in a spreadsheet program and save it, so that "+
			"formulas have values",
			"has a formula without a value")
	case text != "":
		s.row.Cells = append(s.row.Cells, ground.SparseCell{Column: s.column, Text: text,
			Number: kind == "" || kind == "n"})
	}
	return nil
}

// place returns the column of a cell from its reference, such as B7, else the one after the last.
func (s *Table) place(ref string) (int, error) {
	column, row := s.column+1, strconv.Itoa(int(s.row.Line))
	if ref != "" {
		column = -1
		for _, c := range strings.TrimSuffix(ref, row) {
			column = min((column+1)*26+max(int(c-'A'), 0), MaxColumns)
		}
	}
	if column <= s.column || column >= MaxColumns || ref != "" && Letters(column)+row != ref {
		return 0, &ground.Error{Line: s.row.Line,
			Msg: fmt.Sprintf("the cell reference %q is invalid here", ref)}
	}
	return column, nil
}
