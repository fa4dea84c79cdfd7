package tabular

import "slices"

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
		are := "cells are"
		if cells.n == 1 {
			are = "cell is"
		}
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
	for k, view := range f.views {
		view.written = c.written
		read, _ := view.numbers(c.Kind)
		for i := range view.n {
			if x, state := read(i); state == hasValue && x == number {
				cells.add(l.train.Batches[k], i, trim(view.text(i)))
			}
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
