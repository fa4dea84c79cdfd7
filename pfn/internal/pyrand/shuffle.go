package pyrand

import "github.com/pfnamp/pfnamp/internal/matrix"

// Shuffle reorders a list as random.shuffle does, from the last element down to the second.
func (r *Rand) Shuffle(list []int) {
	for i := len(list) - 1; i > 0; i-- {
		j := r.Below(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}

// Sample returns random.sample(range(n), n): the numbers below n in order of selection. The last
// number that is left moves into the gap of a selected one.
func (r *Rand) Sample(n int) []int {
	pool, selected := matrix.Upto(n), make([]int, n)
	for i := range selected {
		j := r.Below(n - i)
		selected[i] = pool[j]
		pool[j] = pool[n-i-1]
	}
	return selected
}
