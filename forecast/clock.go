package forecast

import (
	"fmt"
	"math"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/pfnamp/pfnamp/tabular"
)

// Clock is how a table writes times.
type Clock struct {
	kind   tabular.Kind // Date, Timestamp, Numeric, or Categorical for texts of a layout
	layout string
	text   bool // of a table of texts
	whole  bool // numbers without a fraction
}

// Calendar tells whether times are seconds since 1970 rather than numbers.
func (c Clock) Calendar() bool { return c.kind != tabular.Numeric }

// layouts are those of texts that are no dates for package tabular: months and quarters.
var layouts = []string{"2006-01", "2006/01", "2006M01", "01/2006", "01.2006", "Jan 2006",
	"Jan-2006", "Jan-06", "2006 Jan", "January 2006", "2006 January"}

// quarters are the same, with Q and a number from 1 to 4 in the place of %d.
var quarters = []string{"%04dQ%d", "%04d-Q%d", "%04d Q%d"}

// clockOf finds the layout in which all texts are times.
func clockOf(texts []string) (Clock, bool) {
	for _, layout := range append(layouts[:len(layouts):len(layouts)], quarters...) {
		c, fits := Clock{kind: tabular.Categorical, layout: layout}, true
		for _, text := range texts {
			if _, ok := c.parse(text); !ok {
				fits = false
				break
			}
		}
		if fits {
			return c, true
		}
	}
	return Clock{}, false
}

// quarterly tells whether the layout is one of quarters.
func (c Clock) quarterly() bool { return len(c.layout) > 0 && c.layout[0] == '%' }

// parse reads a text of the layout as seconds since 1970.
func (c Clock) parse(text string) (float64, bool) {
	if c.quarterly() {
		var year, quarter int
		if n, err := fmt.Sscanf(text, c.layout, &year, &quarter); n < 2 || err != nil || quarter < 1 ||
			quarter > 4 || fmt.Sprintf(c.layout, year, quarter) != text {
			return 0, false
		}
		return float64(time.Date(year, time.Month(3*quarter-2), 1, 0, 0, 0, 0, time.UTC).Unix()), true
	}
	t, err := time.Parse(c.layout, text)
	return float64(t.Unix()), err == nil
}

// Text writes a time as the table does; dates as 2006-01-02.
func (c Clock) Text(at float64) string {
	switch {
	case c.kind == tabular.Numeric:
		return fmt.Sprintf("%.10g", at)
	case c.quarterly():
		t := utc(at)
		return fmt.Sprintf(c.layout, t.Year(), (int(t.Month())+2)/3)
	case c.layout != "":
		return utc(at).Format(c.layout)
	case c.kind == tabular.Date:
		return utc(at).Format(time.DateOnly)
	}
	return utc(at).Format("2006-01-02T15:04:05Z")
}

// Type is the type of a column of times: that of the table, and text for what text tables hold but
// numbers.
func (c Clock) Type() arrow.DataType {
	switch {
	case c.kind == tabular.Numeric && c.whole:
		return arrow.PrimitiveTypes.Int64
	case c.kind == tabular.Numeric:
		return arrow.PrimitiveTypes.Float64
	case c.text || c.layout != "":
		return arrow.BinaryTypes.String
	case c.kind == tabular.Date:
		return arrow.FixedWidthTypes.Date32
	}
	return arrow.FixedWidthTypes.Timestamp_us
}

// add appends a time to a column of Type.
func (c Clock) add(b array.Builder, at float64) {
	switch b := b.(type) {
	case *array.Int64Builder:
		b.Append(int64(math.Round(at)))
	case *array.Float64Builder:
		b.Append(at)
	case *array.StringBuilder:
		b.Append(c.Text(at))
	case *array.Date32Builder:
		b.Append(arrow.Date32(math.Floor(at / day)))
	case *array.TimestampBuilder:
		b.Append(arrow.Timestamp(at * 1e6))
	}
}
