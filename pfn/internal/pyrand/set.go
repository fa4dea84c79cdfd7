package pyrand

import "slices"

// Rest returns list(set(range(low, high)) - used) in CPython: the numbers low..high-1 that are not
// used, in the order of a hash table. used holds distinct numbers. Numbers outside the range, such
// as -1, count for its size, which decides how CPython makes the difference.
//
// A number hashes to itself. A table has a power of two of places, at least 8; when three fifths
// are full, it grows to four times its content. If a set is more than four times as large as the
// other, the difference is a copy of it from which numbers are removed, otherwise a new set. This
// is CPython 3.11, for at most 50,000 numbers from 0 up.
func Rest(low, high int, used []int) []int {
	all := newTable(8)
	for v := low; v < high; v++ {
		all.add(v)
	}
	taken := make(map[int]bool, len(used))
	for _, v := range used {
		taken[v] = true
	}
	made := newTable(8)
	if all.used/4 > len(taken) {
		if 5*all.used >= 3*(len(made.places)-1) {
			made = newTable(2 * all.used)
		}
		for v := range all.each {
			made.insert(v)
		}
		return slices.DeleteFunc(slices.Collect(made.each), func(v int) bool { return taken[v] })
	}
	for v := range all.each {
		if !taken[v] {
			made.add(v)
		}
	}
	return slices.Collect(made.each)
}

// table is CPython's hash table of a set of numbers from 0 up.
type table struct {
	places []int // -1 where empty
	used   int
}

// newTable has room for more than least numbers.
func newTable(least int) *table {
	size := 8
	for least > 8 && size <= least {
		size *= 2
	}
	t := &table{places: make([]int, size)}
	for i := range t.places {
		t.places[i] = -1
	}
	return t
}

func (t *table) add(v int) {
	t.insert(v)
	if 5*t.used < 3*(len(t.places)-1) {
		return
	}
	grown := newTable(4 * t.used)
	for w := range t.each {
		grown.insert(w)
	}
	*t = *grown
}

// insert puts a number into the first free place: the one of its hash, up to 9 after it, and so on
// from a place that the rest of the hash shifts.
func (t *table) insert(v int) {
	const neighbours, shift = 9, 5
	mask := uint(len(t.places) - 1)
	rest := uint(v)
	for i := uint(v) & mask; ; i = (5*i + 1 + rest) & mask {
		last := i
		if i+neighbours <= mask {
			last = i + neighbours
		}
		for k := i; k <= last; k++ {
			if t.places[k] < 0 {
				t.places[k] = v
				t.used++
				return
			}
		}
		rest >>= shift
	}
}

// each yields the numbers in the order of their places.
func (t *table) each(yield func(int) bool) {
	for _, v := range t.places {
		if v >= 0 && !yield(v) {
			return
		}
	}
}
