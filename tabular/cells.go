package tabular

import (
	"context"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/compute"

	"github.com/pfnamp/pfnamp/tabular/internal/csv"
	"github.com/pfnamp/pfnamp/tabular/internal/spelling"
)

// cells is a view of a column of a batch for inference and encoding.
type cells struct {
	class Kind // what the physical type holds: Categorical is text, Empty null throughout
	n     int
	null  func(i int) bool
	// text returns a cell as text: a text as it is, anything else in its canonical form, which is
	// the shortest decimal number that reads back the same, true or false, or ISO 8601.
	text func(i int) string
	// num returns a cell as a number, in days or seconds for dates and times; nil for text.
	num  func(i int) float64
	zone string // the time zone of stored times, "" for none
}

// holds names the physical type.
func (c cells) holds() string {
	return [...]string{"number", "text", "boolean", "date", "timestamp", "null"}[c.class]
}

// cellsOf returns the view of a column, and false for types without plain values.
func cellsOf(column arrow.Array) (cells, bool) {
	c := cells{class: Categorical, n: column.Len(), null: column.IsNull}
	switch a := column.(type) {
	case *array.String:
		c.text = a.Value
	case *array.LargeString:
		c.text = a.Value
	case *array.StringView:
		c.text = a.Value
	case *array.Dictionary:
		values, ok := cellsOf(a.Dictionary())
		c.class, c.zone = values.class, values.zone
		c.null = func(i int) bool { return a.IsNull(i) || values.null(a.GetValueIndex(i)) }
		c.text = func(i int) string { return values.text(a.GetValueIndex(i)) }
		if values.num != nil {
			c.num = func(i int) float64 { return values.num(a.GetValueIndex(i)) }
		}
		return c, ok
	case *array.Null:
		c.class = Empty
		c.null = func(int) bool { return true }
		c.text = func(int) string { return "" }
	case *array.Boolean:
		c.class = Boolean
		c.text = func(i int) string { return strconv.FormatBool(a.Value(i)) }
		c.num = func(i int) float64 {
			if a.Value(i) {
				return 1
			}
			return 0
		}
	case *array.Date32:
		c.class = Date
		c.num = func(i int) float64 { return float64(a.Value(i)) }
		c.text = func(i int) string { return spelling.FormatDay(int64(a.Value(i))) }
	case *array.Date64:
		c.class = Date
		c.num = func(i int) float64 {
			return math.Floor(float64(a.Value(i)) / (1e3 * spelling.SecondsPerDay))
		}
		c.text = func(i int) string { return spelling.FormatDay(int64(c.num(i))) }
	case *array.Timestamp:
		kind := a.DataType().(*arrow.TimestampType)
		c.zone = kind.TimeZone
		c.seconds(Timestamp, a, func(i int) int64 { return int64(a.Value(i)) })
		c.text = func(i int) string { return a.Value(i).ToTime(kind.Unit).Format(time.RFC3339Nano) }
	case *array.Duration:
		c.seconds(Numeric, a, func(i int) int64 { return int64(a.Value(i)) })
	case *array.Time32:
		c.seconds(Numeric, a, func(i int) int64 { return int64(a.Value(i)) })
	case *array.Time64:
		c.seconds(Numeric, a, func(i int) int64 { return int64(a.Value(i)) })
	default:
		c.class = Numeric
		return c, c.numbers(column)
	}
	return c, true
}

// seconds makes the accessors of a column of times or durations, stored in a unit of its type.
func (c *cells) seconds(class Kind, column arrow.Array, stored func(i int) int64) {
	per := float64(time.Second / column.DataType().(arrow.TemporalWithUnit).TimeUnit().Multiplier())
	c.class = class
	c.num = func(i int) float64 { return float64(stored(i)) / per }
	c.text = func(i int) string { return spelling.FormatNumber(c.num(i), 64) }
}

// numbers makes the accessors of integers, floats or decimals, and reports whether the column holds
// these.
func (c *cells) numbers(column arrow.Array) bool {
	id := column.DataType().ID()
	if !arrow.IsInteger(id) && !arrow.IsFloating(id) && !arrow.IsDecimal(id) {
		return false
	}
	exact := csv.CellText(column)
	c.text = func(i int) string { return string(exact(nil, i)) }
	if arrow.IsDecimal(id) {
		c.num = func(i int) float64 {
			v, _ := strconv.ParseFloat(string(exact(nil, i)), 64) // of at most 76 digits
			return v
		}
		c.text = func(i int) string {
			s := string(exact(nil, i))
			if strings.ContainsRune(s, '.') && !strings.ContainsAny(s, "eE") {
				s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
			}
			return s
		}
		return true
	}
	floats, ok := column.(*array.Float64)
	if !ok {
		cast, err := compute.CastArray(context.Background(), column,
			compute.UnsafeCastOptions(arrow.PrimitiveTypes.Float64))
		if err != nil {
			return false
		}
		floats = cast.(*array.Float64)
	}
	c.num = floats.Value
	if arrow.IsFloating(id) { // the text of 3.0 is "3"
		bits := 64
		if id != arrow.FLOAT64 {
			bits = 32
		}
		c.text = func(i int) string { return spelling.FormatNumber(floats.Value(i), bits) }
	}
	return true
}

// ParseNumber returns the number in a cell. The grammar is, with any spaces around it:
//
//	[+-]? ( digits [ "." [digits] ] | "." digits ) ( [eE] [+-]? digits )?
//
// Nothing else is a number: not inf, nan, 0x1p3, 1_000 or 1,5. A number above the largest float64
// in magnitude is an error. A number below the smallest is 0.
func ParseNumber(text string) (float64, error) { return spelling.ParseNumber(text) }
