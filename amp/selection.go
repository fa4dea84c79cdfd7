package amp

// selectAll permutes x so that x[k] is its k-th smallest value (from 0) for every k of ks, which
// ascends strictly. No value of x may be NaN. Cost O(len(x)) per level of bisection of ks.
func selectAll(x []float64, ks []int) { selectWithin(x, ks, 0) }

// selectWithin is selectAll for positions counted from -first.
func selectWithin(x []float64, ks []int, first int) {
	if len(ks) == 0 {
		return
	}
	mid := len(ks) / 2
	k := ks[mid] - first
	selectNth(x, k)
	selectWithin(x[:k], ks[:mid], first)
	selectWithin(x[k+1:], ks[mid+1:], ks[mid]+1)
}

// selectNth is Hoare's selection with the median of three as pivot.
func selectNth(x []float64, k int) {
	lo, hi := 0, len(x)-1
	for hi-lo > 2 {
		mid := lo + (hi-lo)/2
		sortThree(x, lo, mid, hi)
		pivot := x[mid]
		i, j := lo, hi
		for i <= j {
			for x[i] < pivot {
				i++
			}
			for x[j] > pivot {
				j--
			}
			if i <= j {
				x[i], x[j] = x[j], x[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return
		}
	}
	sortThree(x, lo, lo+(hi-lo)/2, hi)
}

// sortThree orders three positions.
func sortThree(x []float64, a, b, c int) {
	if x[b] < x[a] {
		x[a], x[b] = x[b], x[a]
	}
	if x[c] < x[b] {
		x[b], x[c] = x[c], x[b]
		if x[b] < x[a] {
			x[a], x[b] = x[b], x[a]
		}
	}
}
