package csv

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

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
	return e, CheckTypes(to.Schema)
}

// CheckTypes refuses columns without texts for their cells.
func CheckTypes(schema *arrow.Schema) error {
	for _, f := range schema.Fields() {
		if _, ok := f.Type.(arrow.ExtensionType); !ok && !ground.FlatType(f.Type) {
			return &ground.Error{Column: f.Name,
				Msg: fmt.Sprintf("columns of type %s cannot be written as text", f.Type)}
		}
	}
	return nil
}

// Write appends the rows of a batch.
func (e *encoder) Write(rec arrow.RecordBatch) error {
	columns := rec.Columns()
	cells := make([]AppendCell, len(columns))
	for i, column := range columns {
		cells[i] = e.cell(column)
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

// Magnitudes between these are written as plain decimals; others have an exponent.
const (
	plainFrom = 1e-5
	plainTo   = 1e15
)

// AppendCell appends the text of one value, which is not null.
type AppendCell func(b []byte, row int) []byte

func (e *encoder) cell(column arrow.Array) AppendCell {
	switch a := column.(type) {
	case array.ExtensionArray:
		return func(b []byte, i int) []byte { return e.quoted(b, a.ValueStr(i)) }
	case *array.Float64:
		return func(b []byte, i int) []byte { return appendFloat(b, a.Value(i), 64) }
	case *array.Float32:
		return func(b []byte, i int) []byte {
			return appendFloat(b, float64(a.Value(i)), 32)
		}
	case *array.Float16:
		return func(b []byte, i int) []byte {
			return appendFloat(b, float64(a.Value(i).Float32()), 32)
		}
	case array.StringLike:
		return func(b []byte, i int) []byte { return e.quoted(b, a.Value(i)) }
	case *array.Timestamp:
		layout := "2006-01-02T15:04:05.999999999"
		if a.DataType().(*arrow.TimestampType).TimeZone != "" {
			layout += "Z07:00"
		}
		unit := a.DataType().(*arrow.TimestampType).Unit
		return func(b []byte, i int) []byte {
			return a.Value(i).ToTime(unit).AppendFormat(b, layout)
		}
	case *array.Decimal32:
		return decimalCell(a, a.DataType())
	case *array.Decimal64:
		return decimalCell(a, a.DataType())
	case *array.Decimal128:
		return decimalCell(a, a.DataType())
	case *array.Decimal256:
		return decimalCell(a, a.DataType())
	}
	// Whole numbers, days, times of day and truth values never need quotes, nor does the base64 of
	// bytes.
	return func(b []byte, i int) []byte { return append(b, column.ValueStr(i)...) }
}

// decimalCell returns the function that writes decimals with all digits of their scale.
func decimalCell[T interface{ ToString(scale int32) string }](a interface{ Value(int) T },
	t arrow.DataType,
) AppendCell {
	scale := t.(arrow.DecimalType).GetScale()
	return func(b []byte, i int) []byte { return append(b, a.Value(i).ToString(scale)...) }
}

// appendFloat appends the shortest text that reads back as the same number, or NaN, inf or -inf.
func appendFloat(b []byte, v float64, bits int) []byte {
	switch size := math.Abs(v); {
	case math.IsNaN(v):
		return append(b, "NaN"...)
	case math.IsInf(v, 1):
		return append(b, "inf"...)
	case math.IsInf(v, -1):
		return append(b, "-inf"...)
	case size == 0 || size >= plainFrom && size < plainTo:
		return strconv.AppendFloat(b, v, 'f', -1, bits)
	}
	return strconv.AppendFloat(b, v, 'e', -1, bits)
}

// CellText returns the function that writes the values of an array without quotes for a delimiter.
func CellText(column arrow.Array) AppendCell { return new(encoder).cell(column) }
