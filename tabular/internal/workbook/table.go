package workbook

import (
	"context"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// Table reads a sheet of a  Its first row that is not empty names the columns; cells
// are text as in a text file, or null.
type Table struct {
	rowsOf *Rows
	fields *arrow.Schema
	max    int // Rows in a batch
	header int // row of the sheet that names the columns
	first  int64
}

// OpenTable starts to read a sheet. What it returns has read the names of the columns.
func OpenTable(in *io.SectionReader, opt ground.Options) (_ *Table, err error) {
	defer ground.Recover(&err)
	book, err := Open(in, in.Size())
	if err != nil {
		return nil, &ground.Error{Msg: "not a readable workbook", Err: ground.Brief(err)}
	}
	sheet, e := pickSheet(book, opt.Sheet)
	if e != nil {
		return nil, e
	}
	s := &Table{max: opt.BatchRows}
	if s.rowsOf, err = book.Rows(sheet); err != nil {
		return nil, s.damage(err)
	}
	row, err := s.rowsOf.Next()
	for err == nil && row.Number < opt.HeaderRow {
		row, err = s.rowsOf.Next()
	}
	if opt.HeaderRow > 0 && (err == io.EOF || err == nil && row.Number > opt.HeaderRow) {
		return nil, ground.NoHeader(opt.HeaderRow, "row")
	}
	if err == io.EOF {
		return nil, &ground.Error{Msg: fmt.Sprintf("sheet %q is empty", book.Sheets[sheet].Name),
			Hint: "a table begins with a row that names its columns"}
	}
	if err != nil {
		return nil, s.damage(err)
	}
	fields := make([]arrow.Field, row.Cells[len(row.Cells)-1].Column+1)
	for i := range fields {
		fields[i] = arrow.Field{Type: arrow.BinaryTypes.String, Nullable: true}
	}
	for _, c := range row.Cells {
		fields[c.Column].Name = c.Text
	}
	ground.NameFirst(fields)
	s.fields, s.header = arrow.NewSchema(fields, nil), row.Number
	if err := ground.CheckNames(s.fields); err != nil {
		err.Line = int64(row.Number)
		return nil, err
	}
	return s, nil
}

// pickSheet is the sheet asked for by name, else the only one that is not hidden.
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
		return 0, &ground.Error{Msg: fmt.Sprintf("there is no sheet %s", ground.Quote(asked)),
			Hint: "the sheets are " + ground.Listed(all)}
	case len(visible) == 0:
		return 0, &ground.Error{Msg: "the workbook has no visible sheet with cells"}
	case len(visible) > 1:
		e := &ground.Error{Msg: "the workbook has several sheets: " + ground.Listed(visible)}
		return 0, e.Advise("say which one: %s %s", ground.OptionSheet, ground.ShellWord(visible[0]))
	}
	return at, nil
}

func (s *Table) Schema() *arrow.Schema { return s.fields }

// Rows is not known: what a sheet says of its size need not be true.
func (s *Table) Rows() int64 { return -1 }

// Note tells of merged cells.
func (s *Table) Note() string {
	n, first := s.rowsOf.Merged()
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s of merged cells, the first is %s: the value is that of the first cell, "+
		"the others are missing", ground.Count(n, "range"), first)
}

// Close frees the decompressor.
func (s *Table) Close() {
	if s.rowsOf != nil {
		s.rowsOf.Close()
	}
}

// Next reads the next rows, fewer of them where there are many columns.
func (s *Table) Next(ctx context.Context) (_ ground.Batch, err error) {
	defer ground.Recover(&err)
	if err := context.Cause(ctx); err != nil {
		return ground.Batch{}, err
	}
	return ground.SparseBatch(s.fields, s.max, &s.first, s.next)
}

// next is the next row, with the bytes that it takes.
func (s *Table) next() (sparse ground.SparseRow, size int, err error) {
	row, err := s.rowsOf.Next()
	if err == io.EOF {
		return sparse, 0, err
	}
	if err != nil {
		return sparse, 0, s.damage(err)
	}
	sparse.Line = int64(row.Number)
	for _, c := range row.Cells {
		if c.Column >= s.fields.NumFields() {
			return sparse, 0, s.beyond(row.Number, c)
		}
		sparse.Cells = append(sparse.Cells, ground.SparseCell{Column: c.Column, Text: c.Text,
			Number: c.Number})
		size += len(c.Text) + 32
	}
	return sparse, size, nil
}

// beyond is the error of a cell to the right of the columns that have names.
func (s *Table) beyond(row int, c Cell) error {
	e := &ground.Error{Line: int64(row),
		Msg: fmt.Sprintf("column %s holds %s, but row %d gives the column no name",
			Letters(c.Column), ground.Quote(c.Text), s.header)}
	return e.Advise("the first row that is not empty names the columns: where titles stand above, "+
		"say which row does, as %s %d; remove remarks beside the table", ground.OptionHeaderRow, row)
}

// damage is a *ground.Error about a cell, a row or the file.
func (s *Table) damage(err error) error {
	e := &ground.Error{Err: ground.Brief(err), Msg: "damaged sheet"}
	if at, ok := err.(*CellError); ok {
		e = &ground.Error{Line: int64(at.Row), Msg: at.Error(), Hint: at.Hint}
		if s.fields != nil && at.Column >= 0 && at.Column < s.fields.NumFields() {
			e.Column = s.fields.Field(at.Column).Name
		}
	}
	return e
}
