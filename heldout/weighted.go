package heldout

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp/distr"
)

// weighted holds scores of rows that count unequally: under covariate shift the weight of a row is
// in proportion to the odds that it is a query row. It is a weighted CV+ (Prinster, Liu and Saria
// 2022, JAWS; Tibshirani, Barber, Candès and Ramdas 2019). With true weights its intervals and sets
// keep the promise of [calibration]. With estimated weights they keep it approximately.
type weighted struct {
	level float64
	rows  []weightedRow
	total float64
}

// weightedRow is a row with the fold of the model that has not read it.
type weightedRow struct {
	fold          int
	score, weight float64
}

// newWeighted keeps scores with their weights, at least one of them above 0. foldOf has the folds
// of the rows, below 0 for a row without a score.
func newWeighted(level float64, foldOf []int, scores, weights []float64) *weighted {
	w := &weighted{level: level}
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

// interval is [calibration.interval] with weights. Its ends are the level-quantiles of the proposed
// ends. The query row, with the weight at, proposes infinite ends. If only an infinite end is far
// enough, interval takes the farthest other end.
func (w *weighted) interval(central []distr.Interval, at float64) distr.Interval {
	low, high := make([]bound, len(w.rows)), make([]bound, len(w.rows))
	for i, r := range w.rows {
		low[i] = bound{-(central[r.fold].Lo - r.score), r.weight}
		high[i] = bound{central[r.fold].Hi + r.score, r.weight}
	}
	return between(-w.quantile(low, at), w.quantile(high, at))
}

// quantile is the smallest end below or at which the weights reach the level, of all and of the
// query row, or the largest one.
func (w *weighted) quantile(ends []bound, at float64) float64 {
	slices.SortFunc(ends, func(a, b bound) int { return cmp.Compare(a.end, b.end) })
	sum := 0.0
	for _, b := range ends {
		if sum += b.weight; sum >= w.level*(w.total+at)-tiny*w.total {
			return b.end
		}
	}
	return ends[len(ends)-1].end
}

// usual is [calibration.usual] with weights, for a query row of weight at.
func (w *weighted) usual(scores []float64, at float64) bool {
	below := 0.0
	for _, r := range w.rows {
		if r.score < scores[r.fold] {
			below += r.weight
		}
	}
	return below < w.level*(w.total+at)-tiny*w.total
}

// setEscapes marks what is part of a label and not between two of them.
var setEscapes = strings.NewReplacer(`\`, `\\`, `|`, `\|`)

// SetText joins the labels of a set by |. In a label, \ becomes \\ and | becomes \|, so that the
// text can be split again whatever the labels are.
func SetText(labels []string) string {
	escaped := make([]string, len(labels))
	for i, label := range labels {
		escaped[i] = setEscapes.Replace(label)
	}
	return strings.Join(escaped, "|")
}

// SetLabels splits a text that [SetText] has joined.
func SetLabels(text string) []string {
	labels, label := []string{}, new(strings.Builder)
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text):
			i++
			label.WriteByte(text[i])
		case text[i] == '|':
			labels = append(labels, label.String())
			label.Reset()
		default:
			label.WriteByte(text[i])
		}
	}
	return append(labels, label.String())
}
