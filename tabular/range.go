package tabular

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/pfnamp/pfnamp/internal/nearest"
)

// The ranges of no values and of any values; a range of values has Lo <= Hi.
var noValues, anyValues = [2]float64{math.Inf(1), math.Inf(-1)},
	[2]float64{math.Inf(-1), math.Inf(1)}

// measure finds the range of a feature that is not categorical.
func (l *learner) measure(c *Column, f *found) {
	c.Lo, c.Hi = noValues[0], noValues[1]
	var groups map[float64]struct{} // the first different values of a column that may hold codes
	if l.mayGroup(c) {
		groups = map[float64]struct{}{}
	}
	values := make([]float64, 0, l.train.Rows)
	for _, view := range f.views {
		view.written = c.written
		read, ok := view.numbers(c.Kind)
		for i := 0; ok && i < view.n; i++ {
			if x, state := read(i); state == hasValue {
				c.Lo, c.Hi, values = min(c.Lo, x), max(c.Hi, x), append(values, x)
				if groups != nil && len(groups) <= manyGroups {
					groups[x] = struct{}{}
				}
			}
		}
	}
	l.noteGroups(c, groups)
	l.noteFar(c, f, values)
	width, apart := c.Hi-c.Lo, spacing(c.Lo, c.Hi)
	rounded := apart > roughSpacing && width > 0 && width < 1000*apart
	if rounded && c.Kind == Numeric && !slices.Contains(l.opt.Numeric, c.Name) {
		l.note(c.Name, "holds numbers near %.6g that differ by only %.3g, too close for float64: "+
			"subtract a constant, or read them as text with %s %s", c.Lo, width, OptionCategorical,
			columnValue(c.Name))
	}
}

// spacing returns the distance of neighbouring float64 numbers at the larger of two magnitudes.
func spacing(lo, hi float64) float64 {
	largest := math.Max(math.Abs(lo), math.Abs(hi))
	return math.Nextafter(largest, math.Inf(1)) - largest
}

// roughSpacing is the spacing above which whole numbers such as codes and precise times lose digits
// that may matter: from 2^50 on.
const roughSpacing = 0.1

// outside reports whether a value is outside the range of the training table.
func (c *Column) outside(x float64) bool { return x < c.Lo || x > c.Hi }

// Text writes a value of a feature that is not categorical: a number in canonical form, a date or a
// time in ISO 8601.
func (c *Column) Text(x float64) string {
	switch c.Kind {
	case Date:
		return formatDay(int64(math.Floor(x)))
	case Timestamp:
		return time.Unix(int64(math.Floor(x)), 0).UTC().Format("2006-01-02T15:04:05Z")
	}
	return formatNumber(x, 64)
}

// ParseNumber reads a text as a cell of a numeric feature, in the form of the training table.
func (c *Column) ParseNumber(text string) (float64, error) { return c.written.number(text) }

// Value encodes a text as a cell of the feature: a number or a date in the form of the training
// table, or one of its categories. It fails with an *Error about the column, without a file.
func (c *Column) Value(text string) (float64, error) {
	if c.Kind.categorical() {
		code, ok := c.code(text)
		if !ok {
			code, ok = c.near(text)
		}
		if ok {
			return float64(code), nil
		}
		e := &Error{Column: c.Name, Msg: fmt.Sprintf("no row has the value %s", quote(text)),
			Hint: "write one of " + listed(c.Categories)}
		if near := nearest.Names(text, c.Categories); len(near) > 0 {
			e.Msg += "; nearest: " + listed(near)
		}
		return 0, e
	}
	if c.Kind == Empty {
		return 0, &Error{Column: c.Name, Msg: "the column has no value in any row, so it cannot be set"}
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
			Hint: "write it as in the table, for example " + c.Text(c.Lo)}
	}
	return v, nil
}

// storedRanges returns the ranges of columns for storage, none for a column without values.
func storedRanges(columns []Column) [][]float64 {
	ranges := make([][]float64, len(columns))
	for i, c := range columns {
		if c.Lo <= c.Hi && !math.IsInf(c.Hi, 0) && !c.Kind.categorical() {
			ranges[i] = []float64{c.Lo, c.Hi}
		}
	}
	return ranges
}

// setRange sets the range that storedRanges returned; without it, every value is inside.
func (c *Column) setRange(stored []float64) {
	c.Lo, c.Hi = anyValues[0], anyValues[1]
	if len(stored) == 2 {
		c.Lo, c.Hi = stored[0], stored[1]
	}
}
