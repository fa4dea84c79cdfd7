package tabular

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // the same zones on machines that have no list of them

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/rows"
	"github.com/pfnamp/pfnamp/tabular/internal/spelling"
)

// DayOrder is the order of day, month and year in dates that are numbers and do not begin with a
// year of four digits, such as 31.12.2019 and 12/31/19; "" if no such dates are read.
type DayOrder = spelling.DayOrder

// The orders.
const (
	DayFirst   = spelling.DayFirst
	MonthFirst = spelling.MonthFirst
	YearFirst  = spelling.YearFirst
)

// Dates is how columns with dates and times are read and encoded: CalendarDates or NumberDates, or
// an order of days and months such as DayFirst, or both with a comma between them.
type Dates string

// The encodings of dates.
const (
	CalendarDates Dates = ""       // their number, and calendar parts that vary
	NumberDates   Dates = "number" // only their number: days or seconds since 1970
)

// ParseDates reads Dates: calendar, number, dmy, mdy, ymd, or two of them with a comma between
// them. It returns false for another text.
func ParseDates(text string) (Dates, bool) {
	var kept []string
	for _, word := range strings.Split(text, ",") {
		if !slices.Contains(spelling.Orders, DayOrder(word)) && word != string(NumberDates) {
			if word != "calendar" && text != "" {
				return "", false
			}
			continue
		}
		kept = append(kept, word)
	}
	return Dates(strings.Join(kept, ",")), len(kept) <= 2
}

// number reports whether dates have no calendar columns.
func (d Dates) number() bool { return strings.Contains(string(d), string(NumberDates)) }

// order returns the requested order, "" if there is none.
func (d Dates) order() DayOrder {
	orders := strings.Trim(strings.ReplaceAll(string(d), string(NumberDates), ""), ",")
	first, _, _ := strings.Cut(orders, ",")
	return DayOrder(first)
}

// Part is a recurring part of a date, a feature beside the number of the date. It is encoded as a
// number. Other encodings were no better on 15 series and 20 tables with dates: sine and cosine of
// the place in the year, week or day, and the year and the day of the month
// (docs/evidence/columns.md).
type Part string

// The parts.
const (
	Month   Part = "month"   // 1 to 12
	Weekday Part = "weekday" // 0, Monday, to 6
	Hour    Part = "hour"    // 0 to 24, with the minutes as a fraction
)

// parts lists the parts in the order of the features.
var parts = []Part{Month, Weekday, Hour}

func (p Part) of(t time.Time) float64 {
	switch p {
	case Month:
		return float64(t.Month())
	case Weekday:
		return float64((t.Weekday() + 6) % 7)
	}
	return float64(t.Hour()) + float64(t.Minute())/60
}

// instant returns the time that x encodes, in the time zone of the training table. It returns false
// if x is missing, or too far from 1970 for a calendar.
func (c *Column) instant(x float64) (time.Time, bool) {
	const farthest = 1e12 // seconds, over 30,000 years
	if c.Kind == Date {
		x *= spelling.SecondsPerDay
	}
	if !(math.Abs(x) < farthest) {
		return time.Time{}, false
	}
	place, _ := c.clock.GetZone() // UTC for an unknown one
	return time.Unix(int64(math.Floor(x)), 0).In(place), true
}

// repeats is how often the values of a part must occur on average, rounded, to make it a feature.
const repeats = 1.5

// varyingParts returns the parts of times that vary and recur.
func varyingParts(times []time.Time) (found []Part) {
	distinct := func(of func(time.Time) int) int {
		seen := map[int]struct{}{}
		for _, t := range times {
			seen[of(t)] = struct{}{}
		}
		return len(seen)
	}
	day := func(t time.Time) int { return 366*t.Year() + t.YearDay() }
	again := func(part Part, seen int) {
		values := distinct(func(t time.Time) int { return int(part.of(t)) })
		if values > 1 && float64(seen) >= repeats*float64(values) {
			found = append(found, part)
		}
	}
	again(Month, distinct(func(t time.Time) int { return 12*t.Year() + int(t.Month()) }))
	// Dates on the same day of every month, or at the end of months, have meaningless weekdays.
	if distinct(time.Time.Day) > 1 && slices.ContainsFunc(times, func(t time.Time) bool {
		return t.AddDate(0, 0, 1).Day() != 1
	}) {
		again(Weekday, distinct(day))
	}
	again(Hour, distinct(func(t time.Time) int { return 24*day(t) + t.Hour() }))
	return found
}

// clockOf finds the time zone of a column of times: UTC if cells have several.
func (l *learner) clockOf(c *Column, f *found) {
	zones := map[string]bool{}
	for _, view := range f.views {
		for i := range view.n {
			if zone, timed := view.clock(i); timed && !view.missing(i) {
				c.clock.TimeZone, zones[zone] = zone, true
			}
		}
	}
	if len(zones) > 1 {
		if c.clock.TimeZone = "UTC"; zones[""] {
			l.note(c.Name, "has times with a time zone and others without one: pfnamp reads those as UTC")
		}
	}
}

// calendarOf finds the parts of a column of dates or times that are features.
func (l *learner) calendarOf(c *Column, f *found) {
	if l.opt.Dates.number() {
		return
	}
	var times []time.Time
	for _, x := range f.values(c) {
		if t, known := c.instant(x); known {
			times = append(times, t)
		}
	}
	if c.Calendar = varyingParts(times); c.Calendar != nil {
		names := make([]string, len(c.Calendar))
		for i, part := range c.Calendar {
			names[i] = string(part)
		}
		where := ""
		if c.clock.TimeZone != "" {
			place, _ := c.clock.GetZone()
			where = " by the clock of " + place.String()
		}
		l.describe(c.Name, "also gives calendar columns: %s%s (%s %s leaves them out)",
			strings.Join(names, ", "), where, OptionDates, string(NumberDates))
	}
}

// Encoded is a column of Features.Matrix.
type Encoded struct {
	*Column
	Part Part // calendar column of a date, "" for the column itself
}

// String returns the name of the feature: the column, with the part in brackets.
func (e Encoded) String() string {
	if e.Part == "" {
		return e.Name
	}
	return fmt.Sprintf("%s (%s)", e.Name, e.Part)
}

// Encoded lists the columns of Features.Matrix: one for each of Columns, in their order or that of
// ByContent, then the calendar columns of every date.
func (s *Schema) Encoded() []Encoded {
	var all []Encoded
	columns := s.inOrder()
	for _, c := range columns {
		all = append(all, Encoded{Column: c})
	}
	for _, c := range columns {
		for _, part := range c.Calendar {
			all = append(all, Encoded{c, part})
		}
	}
	return all
}

// Width returns the number of columns of Features.Matrix.
func (s *Schema) Width() int { return len(s.Encoded()) }

// SetCalendars writes the calendar columns of encoded rows, for example after dates changed.
func (s *Schema) SetCalendars(x matrix.Matrix) {
	at := len(s.Columns)
	for j, c := range s.inOrder() {
		for _, part := range c.Calendar {
			for i := range x.Rows {
				row := x.Row(i)
				row[at] = math.NaN()
				if t, ok := c.instant(row[j]); ok {
					row[at] = part.of(t)
				} else if rows.IsUnknown(row[j]) {
					row[at] = row[j]
				}
			}
			at++
		}
	}
}

// ByContent returns the schema with another order of the columns of Features.Matrix and of the
// codes of categories. The order depends on what the training table holds, and not on the order of
// its columns or the names of categories. ByContent gives x, the encoded training table, this
// encoding. Columns keep their order in Columns. Categories are in the order of their frequency,
// then of what else their rows hold (rows.Moments), but not of the target: the code of a category
// that a single row has must not tell its label. y is the target, a number or the place of a class
// in an order that depends on content.
func (s *Schema) ByContent(x matrix.Matrix, y []float64) *Schema {
	sorted := *s
	sorted.Columns = slices.Clone(s.Columns)
	moments := rows.Moments(x, s.Categorical(), y)
	for j := range sorted.Columns {
		if c := &sorted.Columns[j]; c.Kind.categorical() {
			c.sort(x, s.place(j), moments[1:])
		}
	}
	keys := make([][]float64, len(s.Columns))
	for j, c := range sorted.Columns {
		keys[j] = columnKey(x.Column(nil, s.place(j)), c.Kind.categorical(), moments)
	}
	sorted.sequence = rows.ByKeys(keys)
	place, columns := map[string]int{}, []int{}
	for at, e := range s.Encoded() {
		place[e.String()] = at
	}
	for _, e := range sorted.Encoded() {
		columns = append(columns, place[e.String()])
	}
	for i := 0; i < x.Rows; i += DefaultBatchRows {
		some := x.Span(i, min(i+DefaultBatchRows, x.Rows))
		copy(some.Data, some.Pick(columns).Data)
	}
	return &sorted
}

// sort sorts the categories of a column, and renames its codes in a column of x.
func (c *Column) sort(x matrix.Matrix, at int, moments [][]float64) {
	places := rows.Places(x.Column(nil, at), len(c.Categories), moments)
	texts := make([]string, len(places))
	for from, to := range places {
		texts[to] = c.Categories[from]
	}
	for i := range x.Rows {
		if k := x.Row(i)[at]; k >= 0 {
			x.Row(i)[at] = float64(places[int(k)])
		}
	}
	c.Categories = texts
	c.index()
}

// columnKey describes a column without regard to its place and its unit: how many values it lacks,
// how many it has, its moments up to the fourth, and its relations to the moments of rows.
func columnKey(values []float64, categorical bool, moments [][]float64) []float64 {
	missing, z := 0.0, rows.Standardised(values)
	for _, v := range values {
		if math.IsNaN(v) || categorical && v < 0 {
			missing++
		}
	}
	key := []float64{0, missing, float64(rows.Distinct(values))}
	if categorical {
		key[0] = 1
	}
	for _, other := range slices.Concat([][]float64{z}, moments) {
		first, second, third := 0.0, 0.0, 0.0
		for i, v := range z {
			first, second, third = first+v*other[i], second+v*v*other[i], third+v*v*v*other[i]
		}
		key = append(key, first, second, third)
	}
	return key
}
