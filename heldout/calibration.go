package heldout

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/folds"
)

// calibration holds the scores of rows, each from the model that has not read the fold of the row.
// Larger scores are stranger. It does not change, and is safe for concurrent use.
type calibration struct {
	level  float64
	scores [][][]float64 // in order, by group and fold
	rows   []int         // by group
}

// newCalibration keeps the scores of rows. foldOf has the fold of every row, 0 to count-1, or a
// number below 0 for a row without a score. groups has the group of every row, 0, 1, ....
func newCalibration(level float64, count int, foldOf, groups []int, scores []float64) *calibration {
	c := &calibration{level: level}
	for _, rows := range folds.ByGroup(groups) {
		sorted := make([][]float64, count)
		scored := 0
		for _, row := range rows {
			if fold := foldOf[row]; fold >= 0 {
				sorted[fold] = append(sorted[fold], scores[row])
				scored++
			}
		}
		for _, of := range sorted {
			slices.Sort(of)
		}
		c.scores, c.rows = append(c.scores, sorted), append(c.rows, scored)
	}
	return c
}

// guarantee is the least probability that the interval or the set of a new row of a group holds its
// label.
func (c *calibration) guarantee(group int) float64 {
	n := c.rows[group]
	return guarantee(c.level, float64(n), float64(min(n, len(c.scores[group]))))
}

// rank is the place ⌈level·(n+1)⌉ of the largest score that is usual in a group.
func (c *calibration) rank(group int) int {
	return max(1, int(math.Ceil(c.level*float64(c.rows[group]+1)-tiny)))
}

// tiny is what rounding may add to a number of rows.
const tiny = 1e-9

// leastRows is the smallest number n of rows that can give an interval or a set of a level:
// ⌈level·(n+1)⌉ <= n, so that n >= level/(1-level), and at least 4.
func leastRows(level float64) int {
	return max(4, int(math.Ceil(level/(1-level)-tiny)))
}

// guarantee is the least probability that an interval or a set from n rows in k folds holds a new
// label,
//
//	1 - 2α - min{2(1-1/k)/(n/k+1), (1-k/n)/(k+1)}, at least 0, α = 1 - level.
func guarantee(level, n, k float64) float64 {
	excess := math.Min(2*(1-1/k)/(n/k+1), (1-k/n)/(k+1))
	return math.Max(0, 1-2*(1-level)-excess)
}

// interval combines the central intervals that the models without every fold give at a row of a
// group. With R_i the score of row i of the group and k(i) its fold, it reaches from the
// ⌊α(n+1)⌋-th smallest Lo_k(i) - R_i to the ⌈(1-α)(n+1)⌉-th smallest Hi_k(i) + R_i.
func (c *calibration) interval(group int, central []distr.Interval) distr.Interval {
	var low, high []float64
	for k, scores := range c.scores[group] {
		for _, r := range scores {
			low, high = append(low, central[k].Lo-r), append(high, central[k].Hi+r)
		}
	}
	slices.Sort(low)
	slices.Sort(high)
	last := c.rank(group)
	first := c.rows[group] + 1 - last // ⌊α(n+1)⌋, α = 1 - level
	return between(low[first-1], high[last-1])
}

// between returns the interval with these ends, or their middle if large negative scores have
// crossed them, because the model's interval is far too wide.
func between(lo, hi float64) distr.Interval {
	if lo > hi {
		lo = (lo + hi) / 2
		hi = lo
	}
	return distr.Interval{Lo: lo, Hi: hi}
}

// strangeness is the score of a class: the probability of all classes that the model finds more
// probable. It is 0 for the most probable one. Classes of the same probability have the same score.
func strangeness(probabilities []float64, class int) float64 {
	var above []float64
	for _, p := range probabilities {
		if p > probabilities[class] {
			above = append(above, p)
		}
	}
	slices.Sort(above) // the sum must not depend on the order of the classes
	sum := 0.0
	for _, p := range above {
		sum += p
	}
	return sum
}

// usual reports whether a class belongs to the set of a row of a group. scores[k] is the score of
// the class under the model without fold k. The class belongs to the set if fewer than (1-α)(n+1)
// rows i of the group have a smaller score than the class has under the model without the fold of
// i.
func (c *calibration) usual(group int, scores []float64) bool {
	below := 0
	for k, sorted := range c.scores[group] {
		n, _ := slices.BinarySearch(sorted, scores[k])
		below += n
	}
	return below < c.rank(group)
}
