package heldout

import (
	"cmp"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/distr"
)

// calibration holds the scores of rows, each from the model that has not read the fold of the row.
// Larger scores are stranger. Under covariate shift rows count unequally: the weight of a row is in
// proportion to the odds that it is a query row. That is a weighted CV+ (Prinster, Liu and Saria
// 2022, JAWS; Tibshirani, Barber, Candès and Ramdas 2019); with estimated weights it keeps its
// promise approximately. It does not change, and is safe for concurrent use.
type calibration struct {
	level float64
	folds int
	rows  []scored
	total float64 // of the weights
}

// scored is a row with the fold of the model that has not read it.
type scored struct {
	fold          int
	score, weight float64
}

// newCalibration keeps the scores of the listed rows. foldOf has the fold of every row, 0 to
// count-1, or a number below 0 for a row without a score. With nil weights all rows count 1.
func newCalibration(
	level float64, count int, listed, foldOf []int, scores, weights []float64,
) *calibration {
	c := &calibration{level: level, folds: count}
	for _, row := range listed {
		s := scored{foldOf[row], scores[row], 1}
		if weights != nil {
			s.weight = weights[row]
		}
		if s.fold >= 0 {
			c.rows = append(c.rows, s)
			c.total += s.weight
		}
	}
	return c
}

// guarantee is the least probability that the interval or the set of a new row holds its label.
func (c *calibration) guarantee() float64 {
	return guarantee(c.level, float64(len(c.rows)), float64(min(len(c.rows), c.folds)))
}

// needed is the weight that usual rows reach, with a query row of weight at.
func (c *calibration) needed(at float64) float64 {
	return c.level*(c.total+at) - tiny*c.total/float64(len(c.rows))
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

// bound is an end that a row of the context proposes.
type bound struct{ end, weight float64 }

// interval combines the central intervals that the models without every fold give at a row. With
// R_i the score of row i and k(i) its fold, it reaches from the ⌊α(n+1)⌋-th smallest Lo_k(i) - R_i
// to the ⌈(1-α)(n+1)⌉-th smallest Hi_k(i) + R_i or, with weights, between such quantiles. The query
// row, with the weight at, proposes infinite ends. If only an infinite end is far enough, interval
// takes the farthest other end.
func (c *calibration) interval(central []distr.Interval, at float64) distr.Interval {
	low, high := make([]bound, len(c.rows)), make([]bound, len(c.rows))
	for i, r := range c.rows {
		low[i] = bound{-(central[r.fold].Lo - r.score), r.weight}
		high[i] = bound{central[r.fold].Hi + r.score, r.weight}
	}
	return between(-c.quantile(low, at), c.quantile(high, at))
}

// quantile is the smallest end below or at which enough weight is, or the largest one.
func (c *calibration) quantile(ends []bound, at float64) float64 {
	slices.SortFunc(ends, func(a, b bound) int { return cmp.Compare(a.end, b.end) })
	sum, needed := 0.0, c.needed(at)
	for _, b := range ends {
		if sum += b.weight; sum >= needed {
			return b.end
		}
	}
	return ends[len(ends)-1].end
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

// usual reports whether a class belongs to the set of a row of weight at. scores[k] is the score of
// the class under the model without fold k. The class belongs to the set if fewer than (1-α)(n+1)
// rows i have a smaller score than the class has under the model without the fold of i.
func (c *calibration) usual(scores []float64, at float64) bool {
	below := 0.0
	for _, r := range c.rows {
		if r.score < scores[r.fold] {
			below += r.weight
		}
	}
	return below < c.needed(at)
}
