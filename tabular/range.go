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
	values := make([]float64, 0, l.train.Rows)
	for _, x := range f.values(c) {
		c.Lo, c.Hi, values = min(c.Lo, x), max(c.Hi, x), append(values, x)
	}
	numbers := c.Kind == Numeric && !slices.Contains(l.opt.Numeric, c.Name)
	if numbers && hasWord(c.Name, groupWords) {
		l.noteGroups(c, values)
	}
	l.noteFar(c, f, values)
	largest := math.Max(math.Abs(c.Lo), math.Abs(c.Hi))
	width, apart := c.Hi-c.Lo, math.Nextafter(largest, math.Inf(1))-largest
	if numbers && apart > roughSpacing && width > 0 && width < 1000*apart {
		l.note(c.Name, "holds numbers near %.6g that differ by only %.3g, too close for float64: "+
			"subtract a constant, or read them as text with %s %s", c.Lo, width, OptionCategorical,
			columnValue(c.Name))
	}
	for _, order := range []string{"20060102", "02012006", "01022006"} {
		first, none := time.Parse(order, fmt.Sprintf("%08.0f", c.Lo))
		last, odd := time.Parse(order, fmt.Sprintf("%08.0f", c.Hi))
		if numbers && none == nil && odd == nil && min(first.Year(), last.Year()) >= 1700 &&
			max(first.Year(), last.Year()) < 2200 {
			l.note(c.Name, "looks like dates in whole numbers: to read them as dates, write %08.0f as %s",
				c.Lo, first.Format(time.DateOnly))
			break
		}
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
	if c.Kind.categorical() {
		code, ok := c.code(text)
		if !ok {
			code, ok = c.near(text)
		}
		if ok || text == "" {
			return float64(code), nil
		}
		e := &Error{Column: c.Name, Msg: fmt.Sprintf("no row has the value %s", quote(text)),
			Hint: "write one of " + listed(c.Categories)}
		if near := nearest.Names(text, c.Categories); len(near) > 0 {
			e.Msg += "; nearest: " + listed(near)
		}
		return 0, e
	}
	if c.Kind == Empty && text != "" {
		return 0, &Error{Column: c.Name, Msg: "the column has no value in any row, so it cannot be set"}
	}
	view := tableView{cells: cells{null: func(int) bool { return false },
		text: func(int) string { return text }}, na: newNA(nil), written: c.written}
	v, state := view.parse(c.Kind, 0)
	if state == wrongCell {
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
	leastFar    = 6 // of fewer values, chance often brings all but one together
)

// noteFar notes the smallest and the largest values of a column if they are far from the others.
// They may be signs of missing values, such as -999999, or wrong.
func (l *learner) noteFar(c *Column, f *found, values []float64) {
	if slices.Contains(l.opt.Numeric, c.Name) {
		return
	}
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
			"%s %s", c.Text(slices.Min(rest)), c.Text(slices.Max(rest)), cells.n, are, cells.place(),
			OptionNA, columnValues(cells.texts), OptionNumeric, columnValue(c.Name))
	}
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

// farFrom returns the smallest or the largest of the values, whichever is further from the others,
// and the others. It returns false if that is not far.
func farFrom(values []float64) (far float64, rest []float64, ok bool) {
	if len(values) < leastFar {
		return 0, nil, false
	}
	lo, hi := slices.Min(values), slices.Max(values)
	second, last := hi, lo // smallest but one, largest but one
	for _, v := range values {
		if v > lo {
			second = min(second, v)
		}
		if v < hi {
			last = max(last, v)
		}
	}
	far, gap := lo, second-lo
	if hi-last > gap {
		far, gap, hi = hi, hi-last, last
	} else {
		lo = second
	}
	if lo >= hi || gap <= farRepeated*(hi-lo) {
		return 0, nil, false
	}
	rest = slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return v == far })
	within := func(v float64) bool { return lo < v && v < hi }
	single := len(values) == len(rest)+1 || !slices.ContainsFunc(rest, within)
	return far, rest, !single || gap > farSingle*(hi-lo)
}
