package tabular

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// flushBytes is how much text is collected before it is written.
const flushBytes = 64 << 10

// csvEncoder writes delimited text: a header, one line per row, LF line ends. A float is the
// shortest text that reads back as the same number in the precision of the column, a null is an
// empty cell, an empty text is quoted.
type csvEncoder struct {
	out     io.Writer
	delim   byte
	special string // characters that need quotes
	escape  bool   // mark texts that look like formulas
	line    []byte
}

// newCSVEncoder writes the header.
func newCSVEncoder(w io.Writer, to destination) (encoder, error) {
	delim := writeDelimiter(to.path, to.opt)
	if delim <= 0 || delim > '~' || strings.ContainsRune("\"\r\n", delim) {
		return nil, &Error{Msg: fmt.Sprintf("%q cannot be a delimiter", delim)}
	}
	e := &csvEncoder{out: w, delim: byte(delim), special: string(delim) + "\"\r\n",
		escape: to.opt.EscapeFormulas}
	for i, name := range fieldNames(to.schema) {
		if i > 0 {
			e.line = append(e.line, e.delim)
		}
		e.line = e.quoted(e.line, name)
	}
	e.line = append(e.line, '\n')
	for _, f := range to.schema.Fields() {
		empty := array.NewBuilder(memory.DefaultAllocator, f.Type)
		a := empty.NewArray()
		empty.Release()
		if _, err := e.cell(a); err != nil {
			return nil, &Error{Column: f.Name, Msg: err.Error()}
		}
		a.Release()
	}
	return e, nil
}

// writeDelimiter returns the delimiter of the options or the extension.
func writeDelimiter(path string, opt WriteOptions) rune {
	if opt.Delimiter != 0 {
		return opt.Delimiter
	}
	if told := extensionDelimiter(path); told != 0 {
		return rune(told)
	}
	return ','
}

// write appends the rows of a batch.
func (e *csvEncoder) write(rec arrow.RecordBatch) error {
	columns := rec.Columns()
	cells := make([]appendCell, len(columns))
	for i, column := range columns {
		var err error
		if cells[i], err = e.cell(column); err != nil {
			return &Error{Column: rec.ColumnName(i), Msg: err.Error()}
		}
	}
	for row := range int(rec.NumRows()) {
		for i, column := range columns {
			if i > 0 {
				e.line = append(e.line, e.delim)
			}
			if !column.IsNull(row) && column.DataType().ID() != arrow.NULL {
				e.line = cells[i](e.line, row)
			} else if len(columns) == 1 {
				e.line = append(e.line, `""`...) // an empty line would not count as a row
			}
		}
		e.line = append(e.line, '\n')
		if len(e.line) >= flushBytes {
			if err := e.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush writes the collected text.
func (e *csvEncoder) flush() error {
	_, err := e.out.Write(e.line)
	e.line = e.line[:0]
	return err
}

// close writes the rest.
func (e *csvEncoder) close() error { return e.flush() }

// quoted appends a text, in quotes if it would not read back without them.
func (e *csvEncoder) quoted(b []byte, s string) []byte {
	if e.escape && formula(s) {
		s = "'" + s
	}
	if s != "" && !strings.ContainsAny(s, e.special) && strings.TrimSpace(s) == s &&
		!strings.HasPrefix(s, "\ufeff") {
		return append(b, s...)
	}
	b = append(b, '"')
	b = append(b, strings.ReplaceAll(s, `"`, `""`)...)
	return append(b, '"')
}

// formula reports whether a spreadsheet would take a text for a formula.
func formula(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return strings.ContainsRune("=+-@\t\r\uff1d\uff0b\uff0d\uff20", first) && !isNumber(s)
}
