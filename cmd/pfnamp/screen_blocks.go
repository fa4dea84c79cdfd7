package main

import "slices"

// blocks are the columns of a screen that belong together: an estimate with its intervals, of every
// functional; those behind the last belong together too. The zero value is of columns that stand
// alone.
type blocks struct {
	first int   // column of the first estimate
	size  int   // columns of a functional
	often []int // by functional: rows in which its class is the most probable one; 0 of numbers
	alone int   // column from which on each stands alone, 0 for none
}

// begin tells whether a column is the first of its block.
func (b blocks) begin(column int) bool {
	after := column - b.first
	switch {
	case b.size == 0 || after < 0 || b.alone > 0 && column >= b.alone:
		return true
	case after > b.size*len(b.often):
		return false
	}
	return after%b.size == 0
}

// whole is how many of so many columns are shown so that none is parted from its block. A first
// block that has no room is shown in part.
func (b blocks) whole(columns int) int {
	n := columns
	for n > b.first && !b.begin(n) {
		n--
	}
	if n <= b.first {
		return columns
	}
	return n
}

// order lists the columns with the most frequent class first.
func (b blocks) order(columns int) []int {
	order := make([]int, columns)
	for k := range order {
		order[k] = k
	}
	ranks := make([]int, len(b.often))
	for f := range ranks {
		ranks[f] = f
	}
	slices.SortStableFunc(ranks, func(f, g int) int { return b.often[g] - b.often[f] })
	for place, f := range ranks {
		for i := range b.size {
			order[b.first+place*b.size+i] = b.first + f*b.size + i
		}
	}
	return order
}

// ordered are the elements of a list in an order.
func ordered[T any](list []T, order []int) []T {
	out := make([]T, len(order))
	for i, k := range order {
		out[i] = list[k]
	}
	return out
}

// arrange puts the columns of the rows that are shown in the order of their blocks.
func (s *screen) arrange(rows []shownRow) {
	order := s.blocks.order(len(s.names))
	s.names, s.scales = ordered(s.names, order), ordered(s.scales, order)
	for i, row := range rows {
		rows[i].texts, rows[i].values = ordered(row.texts, order), ordered(row.values, order)
	}
}
