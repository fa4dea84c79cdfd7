package conformal

import "math"

// tiny is what rounding may add to a number of rows.
const tiny = 1e-9

// LeastRows is the smallest number n of rows that can give an interval or a set of a level:
// ⌈level·(n+1)⌉ <= n, so that n >= level/(1-level), and at least 4.
func LeastRows(level float64) int {
	return max(4, int(math.Ceil(level/(1-level)-tiny)))
}

// Guarantee is the least probability that an interval or a set from n rows in k folds holds a new
// label,
//
//	1 - 2α - min{2(1-1/k)/(n/k+1), (1-k/n)/(k+1)}, at least 0, α = 1 - level.
func Guarantee(level, n, k float64) float64 {
	excess := math.Min(2*(1-1/k)/(n/k+1), (1-k/n)/(k+1))
	return math.Max(0, 1-2*(1-level)-excess)
}
