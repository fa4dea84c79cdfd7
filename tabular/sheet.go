package tabular

import (
	"context"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
	"github.com/pfnamp/pfnamp/tabular/internal/workbook"
)

// workbookFormat is the workbook of Excel.
func workbookFormat() fileFormat {
	const media = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	return fileFormat{format: Excel, name: "xlsx", also: []string{"xlsm"}, ends: true, whole: true,
		files:  []fileName{{extension: ".xlsx", media: media}, {extension: ".xlsm", readOnly: true}},
		begins: isWorkbook, open: openSheet, create: newSheetEncoder}
}

// sheetSource reads a sheet of a workbook. Its first row that is not empty names the columns; cells
// are text as in a text file, or null.
type sheetSource struct {
	file   string
	rowsOf *workbook.Rows
	fields *arrow.Schema
	max    int // rows in a batch
	header int // row of the sheet that names the columns
	first  int64
}

// openSheet starts to read a sheet. What it returns has read the names of the columns.
func openSheet(in input, name string, opt ReadOptions) (_ source, err error) {
	defer recoverDamage(name, &err)
	book, err := workbook.Open(in.file, in.file.Size())
	if err != nil {
		return nil, &Error{File: name, Msg: "not a readable workbook", Err: brief(err)}
	}
	sheet, e := pickSheet(book, opt.Sheet)
	if e != nil {
		return nil, e
	}
	s := &sheetSource{file: name, max: opt.batchRows()}
	if s.rowsOf, err = book.Rows(sheet); err != nil {
		return nil, s.damage(err)
	}
	row, err := s.rowsOf.Next()
	for err == nil && row.Number < opt.HeaderRow {
		row, err = s.rowsOf.Next()
	}
	if opt.HeaderRow > 0 && (err == io.EOF || err == nil && row.Number > opt.HeaderRow) {
		return nil, noHeader(opt.HeaderRow, "row")
	}
	if err == io.EOF {
		return nil, &Error{Msg: fmt.Sprintf("sheet %q is empty", book.Sheets[sheet].Name),
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
	nameFirst(fields)
	s.fields, s.header = arrow.NewSchema(fields, nil), row.Number
	if err := checkNames(s.fields); err != nil {
		err.Line = int64(row.Number)
		return nil, err
	}
	return s, nil
}

// pickSheet is the sheet asked for by name, else the only one that is not hidden.
func pickSheet(book *workbook.Book, asked string) (int, *Error) {
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
		return 0, &Error{Msg: fmt.Sprintf("there is no sheet %s", quote(asked)),
			Hint: "the sheets are " + listed(all)}
	case len(visible) == 0:
		return 0, &Error{Msg: "the workbook has no visible sheet with cells"}
	case len(visible) > 1:
		e := &Error{Msg: "the workbook has several sheets: " + listed(visible)}
		return 0, e.advise("say which one: %s %s", OptionSheet, shellWord(visible[0]))
	}
	return at, nil
}

func (s *sheetSource) schema() *arrow.Schema { return s.fields }

// rows is not known: what a sheet says of its size need not be true.
func (s *sheetSource) rows() int64 { return -1 }

// end tells of merged cells.
func (s *sheetSource) end() string {
	n, first := s.rowsOf.Merged()
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s of merged cells, the first is %s: the value is that of the first cell, "+
		"the others are missing", ground.Count(n, "range"), first)
}

// close frees the decompressor.
func (s *sheetSource) close() {
	if s.rowsOf != nil {
		s.rowsOf.Close()
	}
}

// next reads the next rows, fewer of them where there are many columns.
func (s *sheetSource) next(ctx context.Context) (_ *Batch, err error) {
	defer recoverDamage(s.file, &err)
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	columns := s.fields.NumFields()
	most := min(s.max, max(1, maxBatchBytes/(8*columns)))
	var rows []sparseRow
	for size := 0; len(rows) < most && size < maxBatchBytes; {
		row, err := s.rowsOf.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, s.damage(err)
		}
		sparse := sparseRow{line: int64(row.Number)}
		for _, c := range row.Cells {
			if c.Column >= columns {
				return nil, s.beyond(row.Number, c)
			}
			sparse.cells = append(sparse.cells, sparseCell{c.Column, c.Text, c.Number})
			size += len(c.Text) + 32
		}
		rows = append(rows, sparse)
	}
	return sparseBatch(s.file, s.fields, rows, &s.first)
}

// beyond is the error of a cell to the right of the columns that have names.
func (s *sheetSource) beyond(row int, c workbook.Cell) error {
	e := &Error{Line: int64(row),
		Msg: fmt.Sprintf("there is %s in column %s, which row %d gives no name",
			quote(c.Text), workbook.Letters(c.Column), s.header)}
	return e.advise("the first row that is not empty names the columns: where titles stand above, "+
		"say which row does, as %s %d; remove remarks beside the table", OptionHeaderRow, row)
}

// damage is an *Error about a cell, a row or the file.
func (s *sheetSource) damage(err error) error {
	e := &Error{Err: brief(err), Msg: "damaged sheet"}
	if at, ok := err.(*workbook.CellError); ok {
		e = &Error{Line: int64(at.Row), Msg: at.Error(), Hint: at.Hint}
		if s.fields != nil && at.Column >= 0 && at.Column < s.fields.NumFields() {
			e.Column = s.fields.Field(at.Column).Name
		}
	}
	return e
}
