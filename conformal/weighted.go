package conformal

import (
	"cmp"
	"slices"
)

// Weighted holds scores of rows that count unequally: under covariate shift the weight of a row is
// in proportion to the odds that it is a query row. It is a weighted CV+ (Prinster, Liu and Saria
// 2022, JAWS; Tibshirani, Barber, Candès and Ramdas 2019). With true weights its intervals and sets
// keep the promise of [Calibration]. With estimated weights they keep it approximately. Weighted is
// safe for concurrent use.
type Weighted struct {
	level float64
	rows  []weightedRow
	total float64
}

// weightedRow is a row with the fold of the model that has not read it.
type weightedRow struct {
	fold          int
	score, weight float64
}

// NewWeighted keeps scores with their weights, at least one of them above 0. foldOf has the folds
// of the rows, below 0 for a row without a score.
func NewWeighted(level float64, foldOf []int, scores, weights []float64) *Weighted {
	w := &Weighted{level: level}
	for i, fold := range foldOf {
		if fold >= 0 {
			w.rows = append(w.rows, weightedRow{fold, scores[i], weights[i]})
			w.total += weights[i]
		}
	}
	return w
}

// bound is an end that a row of the context proposes.
type bound struct{ end, weight float64 }

// Interval is [Calibration.Interval] with weights. Its ends are the level-quantiles of the proposed
// ends. The query row, with the weight at, proposes infinite ends. If only an infinite end is far
// enough, Interval takes the farthest other end, and whole is false.
func (w *Weighted) Interval(central []Interval, at float64) (in Interval, whole bool) {
	low, high := make([]bound, len(w.rows)), make([]bound, len(w.rows))
	for i, r := range w.rows {
		low[i] = bound{-(central[r.fold].Lo - r.score), r.weight}
		high[i] = bound{central[r.fold].Hi + r.score, r.weight}
	}
	lo, first := w.quantile(low, at)
	hi, second := w.quantile(high, at)
	in = Interval{-lo, hi}
	if in.Lo > in.Hi {
		middle := (in.Lo + in.Hi) / 2
		in = Interval{middle, middle}
	}
	return in, first && second
}

// quantile is the smallest end below or at which the weights reach the level, of all and of the
// query row; false where they do not.
func (w *Weighted) quantile(ends []bound, at float64) (float64, bool) {
	slices.SortFunc(ends, func(a, b bound) int { return cmp.Compare(a.end, b.end) })
	sum := 0.0
	for _, b := range ends {
		if sum += b.weight; sum >= w.level*(w.total+at)-tiny*w.total {
			return b.end, true
		}
	}
	return ends[len(ends)-1].end, false
}

// Usual is [Calibration.Usual] with weights, for a query row of weight at.
func (w *Weighted) Usual(scores []float64, at float64) bool {
	below := 0.0
	for _, r := range w.rows {
		if r.score < scores[r.fold] {
			below += r.weight
		}
	}
	return below < w.level*(w.total+at)-tiny*w.total
}
