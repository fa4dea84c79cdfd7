package tabular

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/pfnamp/pfnamp/internal/nearest"
)

// A span of values, Lo <= Hi; that of no value is from +Inf to -Inf.
var noValues, anyValues = [2]float64{math.Inf(1), math.Inf(-1)},
	[2]float64{math.Inf(-1), math.Inf(1)}

// measure finds the range of a feature that is no category, and notes one that looks like names of
// rows.
func (l *learner) measure(c *Column, f *found) {
	c.Lo, c.Hi = noValues[0], noValues[1]
	ids := identifiers{name: c.Name, seen: map[float64]struct{}{}}
	var groups map[float64]struct{} // the first different values of a column that may hold codes
	if l.mayGroup(c) {
		groups = map[float64]struct{}{}
	}
	ids.over = c.Kind != Numeric || c.Missing > 0 || slices.Contains(l.opt.Numeric, c.Name)
	for _, view := range f.views {
		view.written = c.written
		read, ok := view.numbers(c.Kind)
		for i := 0; ok && i < view.n; i++ {
			if x, state := read(i); state == hasValue {
				c.Lo, c.Hi = min(c.Lo, x), max(c.Hi, x)
				ids.add(x)
				if groups != nil && len(groups) <= manyGroups {
					groups[x] = struct{}{}
				}
			}
		}
	}
	l.noteGroups(c, groups)
	width, apart := c.Hi-c.Lo, spacing(c.Lo, c.Hi)
	rounded := apart > roughSpacing && width > 0 && width < 1000*apart
	switch why := ids.why(c.Lo, c.Hi); {
	case why != "":
		l.note(c.Name, "looks like an identifier, a different whole number in every row %s: if it is "+
			"one, leave it out with %s %s", why, OptionIgnore, columnValue(c.Name))
	case rounded && c.Kind == Numeric && !slices.Contains(l.opt.Numeric, c.Name):
		l.note(c.Name, "holds numbers near %.6g that are only %.3g apart, which are rounded: subtract "+
			"a constant, or take them as texts with %s %s", c.Lo, width, OptionCategorical,
			columnValue(c.Name))
	}
}

// spacing is how far numbers as large as the larger of two magnitudes are apart.
func spacing(lo, hi float64) float64 {
	largest := math.Max(math.Abs(lo), math.Abs(hi))
	return math.Nextafter(largest, math.Inf(1)) - largest
}

// roughSpacing is the spacing of numbers above which whole ones lose digits that may matter: codes
// and fine times, from 2^50 on.
const roughSpacing = 0.1

// outside tells whether a value lies outside the range of the training table.
func (c *Column) outside(x float64) bool { return x < c.Lo || x > c.Hi }

// Text writes a value of a feature that is no category: a number in canonical form, a date or a
// time by ISO 8601.
func (c *Column) Text(x float64) string {
	switch c.Kind {
	case Date:
		return formatDay(int64(math.Floor(x)))
	case Timestamp:
		return time.Unix(int64(math.Floor(x)), 0).UTC().Format("2006-01-02T15:04:05Z")
	}
	return formatNumber(x, 64)
}

// ParseNumber reads a text as a cell of a feature of numbers, written as those of the training
// table.
func (c *Column) ParseNumber(text string) (float64, error) { return c.written.number(text) }

// Value encodes a text as a cell of the feature: a number or a date written as those of the
// training table, or a category that it has. The error is an *Error about the column without a
// file.
func (c *Column) Value(text string) (float64, error) {
	if c.Kind.categorical() {
		if code, ok := c.code(text); ok {
			return float64(code), nil
		}
		e := &Error{Column: c.Name, Msg: fmt.Sprintf("no row has the value %s", quote(text)),
			Hint: "its values are " + listed(c.Categories)}
		if near := nearest.Names(text, c.Categories); len(near) > 0 {
			e.Msg += "; nearest: " + listed(near)
		}
		return 0, e
	}
	if c.Kind == Empty {
		return 0, &Error{Column: c.Name, Msg: "it has no value in any row, so it cannot be set"}
	}
	v, err := c.written.number(text)
	ok := err == nil && !math.IsInf(v, 0)
	if c.Kind != Numeric {
		v, _, ok = c.written.time(text)
	}
	if c.Kind == Date {
		v /= secondsPerDay
	}
	if !ok {
		return 0, &Error{Column: c.Name, Msg: fmt.Sprintf("%s is not a %s", quote(text), c.Kind),
			Hint: "write it as in the table, such as " + c.Text(c.Lo)}
	}
	return v, nil
}

// storedRanges are the ranges of columns for storage: none for a column without values.
func storedRanges(columns []Column) [][]float64 {
	ranges := make([][]float64, len(columns))
	for i, c := range columns {
		if c.Lo <= c.Hi && !math.IsInf(c.Hi, 0) && !c.Kind.categorical() {
			ranges[i] = []float64{c.Lo, c.Hi}
		}
	}
	return ranges
}

// setRange sets what storedRanges has stored; without it, every value is inside.
func (c *Column) setRange(stored []float64) {
	c.Lo, c.Hi = anyValues[0], anyValues[1]
	if len(stored) == 2 {
		c.Lo, c.Hi = stored[0], stored[1]
	}
}
