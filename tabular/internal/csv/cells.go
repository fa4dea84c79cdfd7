package csv

import (
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// Magnitudes between these are written as plain decimals; others have an exponent.
const (
	plainFrom = 1e-5
	plainTo   = 1e15
)

// AppendCell appends the text of one value, which is not null.
type AppendCell func(b []byte, row int) []byte

// cell returns the function that writes the values of an array.
func (e *encoder) cell(column arrow.Array) (AppendCell, error) {
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
	case interface{ Value(int) []byte }: // every array of bytes
		return func(b []byte, i int) []byte {
			return base64.StdEncoding.AppendEncode(b, a.Value(i))
		}, nil
	}
	return e.plainCell(column)
}

// plainCell returns the function that writes the values of an array whose texts never need quotes.
func (e *encoder) plainCell(column arrow.Array) (AppendCell, error) {
	switch a := column.(type) {
	case *array.Timestamp:
		layout := "2006-01-02T15:04:05.999999999"
		if a.DataType().(*arrow.TimestampType).TimeZone != "" {
			layout += "Z07:00"
		}
		unit := a.DataType().(*arrow.TimestampType).Unit
		return func(b []byte, i int) []byte {
			return TimeOf(int64(a.Value(i)), unit).AppendFormat(b, layout)
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
	case *array.Int8, *array.Int16, *array.Int32, *array.Int64, *array.Uint8, *array.Uint16,
		*array.Uint32, *array.Uint64:
		return func(b []byte, i int) []byte { return append(b, column.ValueStr(i)...) }, nil
	}
	return nil, fmt.Errorf("columns of type %s cannot be written as text", column.DataType())
}

// decimalCell returns the function that writes decimals with all digits of their scale.
func decimalCell[T interface{ ToString(scale int32) string }](a interface{ Value(int) T },
	t arrow.DataType,
) AppendCell {
	scale := t.(arrow.DecimalType).GetScale()
	return func(b []byte, i int) []byte { return append(b, a.Value(i).ToString(scale)...) }
}

// TimeOf returns a timestamp as a time in UTC.
func TimeOf(v int64, unit arrow.TimeUnit) time.Time {
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
func CellText(column arrow.Array) (AppendCell, error) { return new(encoder).cell(column) }
