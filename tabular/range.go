package tabular

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/pfnamp/pfnamp/internal/nearest"
	"github.com/pfnamp/pfnamp/tabular/internal/spelling"
)

// measure finds the range of a feature that is not categorical.
func (l *learner) measure(c *Column, f *found) {
	c.Lo, c.Hi = math.Inf(1), math.Inf(-1)
	var groups map[float64]struct{} // the first different values of a column that may hold codes
	numbers := c.Kind == Numeric && !slices.Contains(l.opt.Numeric, c.Name)
	if numbers && hasWord(c.Name, groupWords) {
		groups = map[float64]struct{}{}
	}
	values := make([]float64, 0, l.train.Rows)
	for _, x := range f.values(c) {
		c.Lo, c.Hi, values = min(c.Lo, x), max(c.Hi, x), append(values, x)
		if groups != nil && len(groups) <= manyGroups {
			groups[x] = struct{}{}
		}
	}
	l.noteGroups(c, groups)
	l.noteFar(c, f, values)
	largest := math.Max(math.Abs(c.Lo), math.Abs(c.Hi))
	width, apart := c.Hi-c.Lo, math.Nextafter(largest, math.Inf(1))-largest
	if numbers && apart > roughSpacing && width > 0 && width < 1000*apart {
		l.note(c.Name, "holds numbers near %.6g that differ by only %.3g, too close for float64: "+
			"subtract a constant, or read them as text with %s %s", c.Lo, width, OptionCategorical,
			columnValue(c.Name))
	}
	first, none := time.Parse("20060102", fmt.Sprintf("%.0f", c.Lo))
	_, odd := time.Parse("20060102", fmt.Sprintf("%.0f", c.Hi))
	if numbers && none == nil && odd == nil && c.Lo > 17e6 && c.Hi < 22e6 {
		l.note(c.Name, "looks like dates in whole numbers: to read them as dates, write %.0f as %s", c.Lo,
			first.Format(time.DateOnly))
	}
}

// roughSpacing is the distance of neighbouring float64 numbers above which whole numbers such as
// codes and precise times lose digits that may matter: from 2^50 on.
const roughSpacing = 0.1

// Text writes a value of a feature that is not categorical: a number in canonical form, a date or a
// time in ISO 8601.
func (c *Column) Text(x float64) string {
	switch c.Kind {
	case Date:
		return spelling.FormatDay(int64(math.Floor(x)))
	case Timestamp:
		return time.Unix(int64(math.Floor(x)), 0).UTC().Format("2006-01-02T15:04:05Z")
	}
	return spelling.FormatNumber(x, 64)
}

// Value encodes a text as a cell of the feature: a number or a date in the form of the training
// table, or one of its categories; "" is missing. It fails with an *Error about the column, without
// a file.
func (c *Column) Value(text string) (float64, error) {
	if text == "" && c.Kind.categorical() {
		return Unseen, nil
	} else if text == "" {
		return math.NaN(), nil
	}
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
	v, err := c.written.Number(text)
	ok := err == nil
	if c.Kind != Numeric {
		v, _, ok = c.written.Days.Time(text)
	}
	if c.Kind == Date {
		v /= spelling.SecondsPerDay
	}
	if !ok {
		what := (&wrongCells{kind: c.Kind}).what(text)
		return 0, &Error{Column: c.Name, Msg: fmt.Sprintf("%s is not a %s", quote(text), what),
			Hint: "write it as in the table, for example " + c.Text(c.Lo)}
	}
	return v, nil
}

// A value is far from the others if the gap to the nearest one is this many ranges of the others. A
// single cell must be further away, and so must any value if the others are only two.
const (
	farRepeated = 3
	farSingle   = 20
	mostFar     = 3 // values of a column that are noted
)

// noteFar notes the smallest and the largest values of a column if they are far from the others.
// They may be signs of missing values, such as -999999, or wrong.
func (l *learner) noteFar(c *Column, f *found, values []float64) {
	if slices.Contains(l.opt.Numeric, c.Name) || central(values) {
		return
	}
	slices.Sort(values)
	all := len(values)
	for range mostFar {
		far, rest, ok := farFrom(values)
		if !ok || 2*len(rest) < all {
			return
		}
		values = rest
		cells := l.cellsOf(c, f, far)
		are := []string{"cell is", "cells are"}[min(cells.n-1, 1)]
		l.note(c.Name, "has values far from the rest, which lie between %s and %s: %d %s %s; if that "+
			"means missing, add %s %s, which holds for all columns; otherwise keep the numbers with "+
			"%s %s", c.Text(rest[0]), c.Text(rest[len(rest)-1]), cells.n, are, cells.place(), OptionNA,
			columnValues(cells.texts), OptionNumeric, columnValue(c.Name))
	}
}

// central reports whether a value is so far from both ends that neither can be far from the others:
// then the column need not be sorted.
func central(values []float64) bool {
	if len(values) == 0 {
		return false
	}
	lo, hi := slices.Min(values), slices.Max(values)
	least := hi/(farRepeated+1) - lo/(farRepeated+1)
	return slices.ContainsFunc(values, func(v float64) bool { return lo+least <= v && v <= hi-least })
}

// cellsOf finds the cells of a column that hold a number.
func (l *learner) cellsOf(c *Column, f *found, number float64) (cells wrongCells) {
	for at, x := range f.values(c) {
		if x == number {
			cells.add(l.train.Batches[at[0]], at[1], spelling.Trim(f.views[at[0]].text(at[1])))
		}
	}
	return cells
}

// farFrom returns the smallest or the largest of sorted values, whichever is further from the
// others, and the others. It returns false if that is not far.
func farFrom(sorted []float64) (far float64, rest []float64, ok bool) {
	n := len(sorted)
	if n == 0 || sorted[0] == sorted[n-1] {
		return 0, nil, false
	}
	second := slices.IndexFunc(sorted, func(v float64) bool { return v > sorted[0] })
	last, _ := slices.BinarySearch(sorted, sorted[n-1])
	far, rest, gap := sorted[0], sorted[second:], sorted[second]-sorted[0]
	if above := sorted[n-1] - sorted[last-1]; above > gap {
		far, rest, gap = sorted[n-1], sorted[:last], above
	}
	lo, hi := rest[0], rest[len(rest)-1]
	times := float64(farRepeated)
	within := func(v float64) bool { return lo < v && v < hi }
	if n == len(rest)+1 || !slices.ContainsFunc(rest, within) {
		times = farSingle
	}
	return far, rest, lo < hi && gap > times*(hi-lo)
}
