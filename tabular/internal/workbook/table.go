package workbook

import (
	"context"
	"fmt"
	"io"

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
