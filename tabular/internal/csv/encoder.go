package csv

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
	"github.com/pfnamp/pfnamp/tabular/internal/spelling"
)

// flushBytes is how much text is collected before it is written.
const flushBytes = 64 << 10

// encoder writes delimited text: a header, one line per row, LF line ends. A float is the
// shortest text that reads back as the same number in the precision of the column, a null is an
// empty cell, an empty text is quoted.
type encoder struct {
	out     io.Writer
	delim   byte
	special string // characters that need quotes
	escape  bool   // mark texts that look like formulas
	line    []byte
}

// NewEncoder writes the header.
func NewEncoder(w io.Writer, to ground.Output) (ground.Encoder, error) {
	delim := to.Delimiter
	if delim <= 0 || delim > '~' || strings.ContainsRune("\"\r\n", delim) {
		return nil, &ground.Error{Msg: fmt.Sprintf("%q cannot be a delimiter", delim)}
	}
	e := &encoder{out: w, delim: byte(delim), special: string(delim) + "\"\r\n",
		escape: to.EscapeFormulas}
	for i, name := range ground.FieldNames(to.Schema) {
		if i > 0 {
			e.line = append(e.line, e.delim)
		}
		e.line = e.quoted(e.line, name)
	}
	e.line = append(e.line, '\n')
	for _, f := range to.Schema.Fields() {
		empty := array.NewBuilder(memory.DefaultAllocator, f.Type)
		a := empty.NewArray()
		empty.Release()
		if _, err := e.cell(a); err != nil {
			return nil, &ground.Error{Column: f.Name, Msg: err.Error()}
		}
		a.Release()
	}
	return e, nil
}

// Write appends the rows of a batch.
func (e *encoder) Write(rec arrow.RecordBatch) error {
	columns := rec.Columns()
	cells := make([]AppendCell, len(columns))
	for i, column := range columns {
		var err error
		if cells[i], err = e.cell(column); err != nil {
			return &ground.Error{Column: rec.ColumnName(i), Msg: err.Error()}
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
			if err := e.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Flush writes the collected text.
func (e *encoder) Flush() error {
	_, err := e.out.Write(e.line)
	e.line = e.line[:0]
	return err
}

// Close writes the rest.
func (e *encoder) Close() error { return e.Flush() }

// quoted appends a text, in quotes if it would not read back without them.
func (e *encoder) quoted(b []byte, s string) []byte {
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
	return strings.ContainsRune("=+-@\t\r\uff1d\uff0b\uff0d\uff20", first) && !spelling.IsNumber(s)
}
