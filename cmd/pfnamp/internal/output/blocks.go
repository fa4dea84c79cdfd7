package output

import "slices"

// Blocks are the columns of a screen that belong together: an estimate with its intervals, of every
// functional; those behind the last belong together too. The zero value is of columns that stand
// alone.
type Blocks struct {
	First int   // column of the first estimate
	Size  int   // columns of a functional
	Often []int // by functional: rows in which its class is the most probable one; 0 of numbers
	Alone int   // column from which on each stands alone, 0 for none
}

// begin tells whether a column is the first of its block.
func (b Blocks) begin(column int) bool {
	after := column - b.First
	switch {
	case b.Size == 0 || after < 0 || b.Alone > 0 && column >= b.Alone:
		return true
	case after > b.Size*len(b.Often):
		return false
	}
	return after%b.Size == 0
}

// whole is how many of so many columns are shown so that none is parted from its block. A first
// block that has no room is shown in part.
func (b Blocks) whole(columns int) int {
	n := columns
	for n > b.First && !b.begin(n) {
		n--
	}
	if n <= b.First {
		return columns
	}
	return n
}

// order lists the columns with the most frequent class first.
func (b Blocks) order(columns int) []int {
	order := make([]int, columns)
	for k := range order {
		order[k] = k
	}
	ranks := make([]int, len(b.Often))
	for f := range ranks {
		ranks[f] = f
	}
	slices.SortStableFunc(ranks, func(f, g int) int { return b.Often[g] - b.Often[f] })
	for place, f := range ranks {
		for i := range b.Size {
			order[b.First+place*b.Size+i] = b.First + f*b.Size + i
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
	order := s.Blocks.order(len(s.names))
	s.names, s.scales = ordered(s.names, order), ordered(s.scales, order)
	for i, row := range rows {
		rows[i].texts, rows[i].values = ordered(row.texts, order), ordered(row.values, order)
	}
}
