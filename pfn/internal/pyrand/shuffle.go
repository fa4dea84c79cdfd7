package pyrand

import "math"

// Shuffle reorders n elements as random.shuffle does, calling swap for each exchange, from the
// last element down to the second.
func (r *Rand) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, r.Below(i+1))
	}
}

// Sample returns random.sample(range(n), k): k distinct indices below n in order of selection.
// It panics unless 0 <= k <= n.
func (r *Rand) Sample(n, k int) []int {
	if k < 0 || k > n {
		panic("pyrand: sample larger than population")
	}
	if n <= poolLimit(k) {
		return r.samplePool(n, k)
	}
	return r.sampleSet(n, k)
}

// poolLimit returns the population size up to which CPython prefers a list of the population over a
// set of the selected indices: 21, plus 4^ceil(log4(3k)) when k > 5.
func poolLimit(k int) int {
	limit := 21
	if k > 5 {
		limit += int(math.Pow(4, math.Ceil(math.Log(float64(3*k))/math.Log(4))))
	}
	return limit
}

// samplePool selects without replacement by moving the last unselected index into the gap.
func (r *Rand) samplePool(n, k int) []int {
	pool := make([]int, n)
	for i := range pool {
		pool[i] = i
	}
	selected := make([]int, k)
	for i := range selected {
		j := r.Below(n - i)
		selected[i] = pool[j]
		pool[j] = pool[n-i-1]
	}
	return selected
}

// sampleSet selects without replacement by drawing again on repetition.
func (r *Rand) sampleSet(n, k int) []int {
	seen := make(map[int]bool, k)
	selected := make([]int, k)
	for i := range selected {
		j := r.Below(n)
		for seen[j] {
			j = r.Below(n)
		}
		seen[j] = true
		selected[i] = j
	}
	return selected
}
