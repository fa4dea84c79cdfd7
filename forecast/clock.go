package forecast

import (
	"fmt"
	"math"
	"slices"
	"strings"
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

	zone   string   // of stored times, "" for naive ones
	shifts []offset // of every row, if times have an offset from UTC
	wall   bool     // times are those of clocks there, else of UTC
}

// offset is an offset from UTC in seconds, east positive, and when it held, in seconds since 1970.
type offset struct{ at, east float64 }

// dates and hours make the layouts in which dates and times are written as they came.
var (
	dates = []string{"2006-01-02", "2006/01/02", "2006/1/2", "20060102", "02.01.2006", "2.1.2006",
		"02/01/2006", "2/1/2006", "01/02/2006", "1/2/2006", "02-01-2006", "02.01.06", "2.1.06",
		"02/01/06", "01/02/06", "1/2/06", "2 Jan 2006", "02 Jan 2006", "2-Jan-2006", "02-Jan-2006",
		"2-Jan-06", "02-Jan-06", "2 January 2006", "Jan 2, 2006", "January 2, 2006"}
	hours = []string{"", " 15:04", " 15:04:05", "T15:04", "T15:04:05", "T15:04:05Z07:00",
		" 15:04:05Z07:00", "T15:04Z07:00", " 15:04:05-07:00", "T15:04:05-0700", " 3:04 PM", " 3:04PM"}
)

// written finds the layout that gives back the texts of times, in seconds since 1970, if there is
// one, and the offsets of the texts.
func (c *Clock) written(texts []string, times []float64) {
	for _, date := range dates {
		for _, hour := range hours {
			var shifts []offset
			for i, text := range texts {
				t, err := time.Parse(date+hour, text)
				if len(text) == len(date) { // midnight, in a workbook
					t, err = time.Parse(date, text)
				}
				if err != nil || float64(t.Unix()) != times[i] ||
					t.Format(date+hour) != text && t.Format(date) != text {
					break
				}
				_, east := t.Zone()
				shifts = append(shifts, offset{times[i], float64(east)})
			}
			if len(shifts) < len(texts) {
				continue
			}
			if c.layout = date + hour; strings.Contains(hour, "07") {
				c.shifts = shifts
			}
			return
		}
	}
}

// stored reads the zone of a column of stored times.
func (c *Clock) stored(kind *arrow.TimestampType, times []float64) {
	c.zone = kind.TimeZone
	place, err := kind.GetZone()
	if err != nil || place == nil || place == time.UTC {
		return
	}
	for _, at := range times {
		_, east := utc(at).In(place).Zone()
		c.shifts = append(c.shifts, offset{at, float64(east)})
	}
}

// local moves times to clocks with their offsets, if they are a day apart or more: then a step is a
// day there, though days in spring and autumn have 23 or 25 hours.
func (c *Clock) local(times []float64) {
	sorted := slices.Sorted(slices.Values(times))
	for i := 1; i < len(sorted); i++ {
		if apart := sorted[i] - sorted[i-1]; apart > 0 && apart < 23*3600 {
			return
		}
	}
	for i, shift := range c.shifts {
		times[i] += shift.east
		c.wall = true
	}
}

// east is the offset from UTC at a time: that of the row nearest in the course of a year, a later
// one if there are several.
func (c Clock) east(at float64) float64 {
	const year = 365.2425 * day
	best, east := math.Inf(1), 0.0
	for _, s := range c.shifts {
		if apart := math.Abs(math.Remainder(at-s.at, year)); apart <= best+day/2 {
			best, east = min(apart, best), s.east
		}
	}
	return east
}

// instant is a time with its offset.
func (c Clock) instant(at float64) time.Time {
	if c.shifts == nil {
		return utc(at)
	}
	east := c.east(at)
	if c.wall {
		at -= east
	}
	return utc(at).In(time.FixedZone("", int(east)))
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
		c := Clock{kind: tabular.Categorical, layout: layout}
		if !slices.ContainsFunc(texts, func(text string) bool {
			_, ok := c.parse(text)
			return !ok
		}) {
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
		return c.instant(at).Format(c.layout)
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
	return &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: c.zone}
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
		b.Append(arrow.Timestamp(c.instant(at).UnixMicro()))
	}
}
