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
	for unit := 1.0; numbers && unit <= 1e9; unit *= 1e3 { // seconds to nanoseconds since 1970
		if hasWord(c.Name, timeWords) && c.Lo >= 1e9*unit && c.Hi < 2e9*unit {
			l.note(c.Name, "looks like times in whole numbers: to read them as times, write %.0f as %s",
				c.Lo, time.Unix(int64(c.Lo/unit), 0).UTC().Format(time.RFC3339))
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
	mostFar     = 3 // values or groups of a column that are noted
	leastFar    = 6 // of fewer values, chance often brings all but one together
)

// noteFar notes values of a column that are few and far from the others. They may be signs of
// missing values, such as -999999, in another unit, or wrong.
func (l *learner) noteFar(c *Column, f *found, values []float64) {
	all := len(values)
	if slices.Contains(l.opt.Numeric, c.Name) || all < leastFar {
		return
	}
	// A part with the ends twice tells soon that a long column has no gap.
	part := slices.Repeat([]float64{slices.Min(values), slices.Max(values)}, 2)
	for i := 0; i < all; i += 1 + all>>14 {
		part = append(part, values[i])
	}
	slices.Sort(part)
	if few, _ := farFrom(part); few == nil {
		return
	}
	slices.Sort(values)
	for range mostFar {
		few, rest := farFrom(values)
		if few == nil || 3*len(rest) < 2*all {
			return
		}
		values = rest
		var cells wrongCells
		for at, x := range f.values(c) {
			if few[0] <= x && x <= few[len(few)-1] {
				cells.add(l.train.Batches[at[0]], at[1], spelling.Trim(f.views[at[0]].text(at[1])))
			}
		}
		format, args := "has values far from the rest, which lie between %s and %s: %d %s %s", []any{
			c.Text(rest[0]), c.Text(rest[len(rest)-1]), len(few), "cells are", cells.place()}
		if lo, hi := few[0], few[len(few)-1]; lo < hi {
			args[3] = fmt.Sprintf("cells are between %s and %s, the first is", c.Text(lo), c.Text(hi))
			format += "; if they have another unit, convert them"
		} else if len(few) == 1 {
			args[3] = "cell is"
		}
		if !cells.full {
			format += "; if that means missing, add %s %s, which holds for all columns"
			args = append(args, OptionNA, columnValues(cells.texts))
		}
		l.note(c.Name, format+"; otherwise keep the numbers with %s %s", append(args, OptionNumeric,
			columnValue(c.Name))...)
	}
}

// farFrom divides sorted values at the widest gap into few and the rest. It returns nil if they are
// not far from each other. Three cells or more, not all alike, are far too if all are positive and
// the gap is a factor of 8 and half the range of the rest in logarithms, as of kilograms and grams.
func farFrom(values []float64) (few, rest []float64) {
	few, rest, gap, width := divide(values, func(v float64) float64 { return v })
	between := func(v float64) bool { return rest[0] < v && v < rest[len(rest)-1] }
	repeated := len(few) > 1 && slices.ContainsFunc(rest, between)
	if width > 0 && (gap > farSingle*width || repeated && gap > farRepeated*width) {
		return few, rest
	}
	few, rest, gap, width = divide(values, math.Log)
	if width > 0 && values[0] > 0 && len(few) > 2 && few[0] < few[len(few)-1] &&
		gap > max(math.Log(8), width/2) {
		return few, rest
	}
	return nil, nil
}

// divide divides sorted values at the widest gap on a scale into few and the rest, whose width it
// returns too.
func divide(values []float64, scale func(float64) float64) (few, rest []float64, gap, w float64) {
	at := 0
	for i := 1; i < len(values); i++ {
		if g := scale(values[i]) - scale(values[i-1]); g > gap {
			at, gap = i, g
		}
	}
	few, rest = values[:at], values[at:]
	if 2*at > len(values) {
		few, rest = rest, few
	}
	return few, rest, gap, scale(rest[len(rest)-1]) - scale(rest[0])
}
