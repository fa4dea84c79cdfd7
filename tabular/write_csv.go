package tabular

import (
	"encoding/base64"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Range of magnitudes that are written as plain decimals; others have an exponent.
const (
	plainFrom = 1e-5
	plainTo   = 1e15
)

// flushBytes is how much text is collected before it is written.
const flushBytes = 64 << 10

// csvEncoder writes delimited text: a header, one line per row, LF line ends. Floats are the
// shortest text that reads back as the same number, in the precision of the column; a null is an
// empty cell, an empty text is quoted.
type csvEncoder struct {
	out     io.Writer
	delim   byte
	special string // characters that make quotes necessary
	line    []byte
}

// appendCell appends the text of one value, which is not null.
type appendCell func(b []byte, row int) []byte

// newCSVEncoder writes the header.
func newCSVEncoder(w io.Writer, schema *arrow.Schema, delim rune) (*csvEncoder, error) {
	if delim <= 0 || delim > '~' || strings.ContainsRune("\"\r\n", delim) {
		return nil, &Error{Msg: fmt.Sprintf("%q cannot be a delimiter", delim)}
	}
	e := &csvEncoder{out: w, delim: byte(delim), special: string(delim) + "\"\r\n"}
	for i, name := range fieldNames(schema) {
		if i > 0 {
			e.line = append(e.line, e.delim)
		}
		e.line = e.quoted(e.line, name)
	}
	e.line = append(e.line, '\n')
	for _, f := range schema.Fields() {
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

// writeDelimiter is the delimiter that options and extension tell.
func writeDelimiter(path string, opt WriteOptions) rune {
	if opt.Delimiter != 0 {
		return opt.Delimiter
	}
	name, _ := stripCompression(strings.ToLower(path))
	switch filepath.Ext(name) {
	case ".tsv", ".tab":
		return '\t'
	case ".ssv":
		return ';'
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
			if !column.IsNull(row) {
				e.line = cells[i](e.line, row)
			} else if len(columns) == 1 {
				e.line = append(e.line, `""`...) // an empty line would be no row
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

// quoted appends a text, in quotes where it would not read back without.
func (e *csvEncoder) quoted(b []byte, s string) []byte {
	if s != "" && !strings.ContainsAny(s, e.special) && strings.TrimSpace(s) == s &&
		!strings.HasPrefix(s, "\ufeff") {
		return append(b, s...)
	}
	b = append(b, '"')
	b = append(b, strings.ReplaceAll(s, `"`, `""`)...)
	return append(b, '"')
}

// cell returns the function that writes the values of an array.
func (e *csvEncoder) cell(column arrow.Array) (appendCell, error) {
	switch a := column.(type) {
	case *array.Dictionary:
		values, err := e.cell(a.Dictionary())
		if err != nil {
			return nil, err
		}
		return func(b []byte, i int) []byte {
			at := a.GetValueIndex(i)
			if a.Dictionary().IsNull(at) {
				return b
			}
			return values(b, at)
		}, nil
	case array.ExtensionArray:
		return func(b []byte, i int) []byte { return e.quoted(b, a.ValueStr(i)) }, nil
	case *array.Float64:
		return func(b []byte, i int) []byte { return appendFloat(b, a.Value(i), 64) }, nil
	case *array.Float32:
		return func(b []byte, i int) []byte {
			return appendFloat(b, float64(a.Value(i)), 32)
		}, nil
	case *array.Float16:
		return func(b []byte, i int) []byte {
			return appendFloat(b, float64(a.Value(i).Float32()), 32)
		}, nil
	case array.StringLike:
		return func(b []byte, i int) []byte { return e.quoted(b, a.Value(i)) }, nil
	case interface{ Value(int) []byte }: // all arrays of bytes
		return func(b []byte, i int) []byte {
			return base64.StdEncoding.AppendEncode(b, a.Value(i))
		}, nil
	}
	return e.plainCell(column)
}

// plainCell returns the function that writes the values of an array whose texts need no quotes.
func (e *csvEncoder) plainCell(column arrow.Array) (appendCell, error) {
	switch a := column.(type) {
	case *array.Timestamp:
		layout := "2006-01-02T15:04:05.999999999"
		if a.DataType().(*arrow.TimestampType).TimeZone != "" {
			layout += "Z07:00"
		}
		unit := a.DataType().(*arrow.TimestampType).Unit
		return func(b []byte, i int) []byte {
			return timeOf(int64(a.Value(i)), unit).AppendFormat(b, layout)
		}, nil
	case *array.Date32, *array.Date64, *array.Time32, *array.Time64, *array.Duration,
		*array.Null:
		return func(b []byte, i int) []byte { return e.quoted(b, column.ValueStr(i)) }, nil
	case *array.Decimal32:
		return decimalCell(a, a.DataType()), nil
	case *array.Decimal64:
		return decimalCell(a, a.DataType()), nil
	case *array.Decimal128:
		return decimalCell(a, a.DataType()), nil
	case *array.Decimal256:
		return decimalCell(a, a.DataType()), nil
	case *array.Boolean:
		return func(b []byte, i int) []byte { return strconv.AppendBool(b, a.Value(i)) }, nil
	case *array.Uint64:
		return func(b []byte, i int) []byte { return strconv.AppendUint(b, a.Value(i), 10) }, nil
	case *array.Int8, *array.Int16, *array.Int32, *array.Int64, *array.Uint8, *array.Uint16,
		*array.Uint32:
		return func(b []byte, i int) []byte {
			return strconv.AppendInt(b, indexAt(column, i), 10)
		}, nil
	}
	return nil, fmt.Errorf("columns of type %s cannot be written as text", column.DataType())
}

// decimalCell returns the function that writes decimals with all digits of their scale.
func decimalCell[T interface{ ToString(scale int32) string }](a interface{ Value(int) T },
	t arrow.DataType,
) appendCell {
	scale := t.(arrow.DecimalType).GetScale()
	return func(b []byte, i int) []byte { return append(b, a.Value(i).ToString(scale)...) }
}

// timeOf is a timestamp as a time in UTC.
func timeOf(v int64, unit arrow.TimeUnit) time.Time {
	switch unit {
	case arrow.Second:
		return time.Unix(v, 0).UTC()
	case arrow.Millisecond:
		return time.UnixMilli(v).UTC()
	case arrow.Microsecond:
		return time.UnixMicro(v).UTC()
	}
	return time.Unix(0, v).UTC()
}

// appendFloat appends the shortest text that reads back as the same number. Numbers that are not
// finite are NaN, inf and -inf.
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
