package trend

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// maxTrend limits the numbers of a trend, which belong to standardised features and targets.
const maxTrend = 1e12

// leastLength is the smallest length of a kernel with finite exponentials.
const leastLength = 0.25

// ErrIncomplete is the error for trends that lack a part, and for a missing trend of a member.
var ErrIncomplete = errors.New("the trend is incomplete")

// restore checks a trend for this number of features and classes, and prepares it.
func (t *Trend) restore(kind string, features, classes int) error {
	if err := t.Levels.check(features); err != nil {
		return err
	}
	features = t.Levels.width(features)
	if (kind == Kernel) != (len(t.Centres) > 0) || (t.Scale > 0) != (classes == 0) ||
		len(t.Offsets) != max(1, ShareColumns(classes)) {
		return ErrIncomplete
	}
	if err := t.check(features); err != nil {
		return err
	}
	if t.Doubt != 0 && !t.factorize() {
		return ErrIncomplete
	}
	return nil
}

// check checks the lengths and the magnitudes of the numbers of a trend of h features, with its
// levels.
func (t *Trend) check(h int) error {
	terms, single := h, []float64{t.Scale, t.Length, t.Mixing, t.Doubt, t.Shared}
	if len(t.Centres) > 0 {
		terms = len(t.Centres)
		if len(t.Columns) != h || !(t.Length >= leastLength) || !(t.Mixing > 0) || t.Doubt < 0 ||
			t.Doubt > 0 && !(t.Shared > 0) {
			return ErrIncomplete
		}
	}
	if t.Doubt != 0 && (len(t.Centres) == 0 || t.Scale == 0) {
		return ErrIncomplete
	}
	rows := slices.Concat(t.Centres, t.Axes)
	if len(t.Weights) != len(t.Offsets) || len(t.Centres) > maxCentres ||
		len(t.Axes) > 0 && (len(t.Axes) != h || len(t.Centres) == 0) ||
		!haveWidth(rows, h) || !haveWidth(t.Weights, terms) {
		return ErrIncomplete
	}
	numbers := slices.Concat(t.Offsets, t.Columns, single, slices.Concat(rows...),
		slices.Concat(t.Weights...))
	if i := slices.IndexFunc(numbers, isOutside); i >= 0 {
		return fmt.Errorf("the trend has the number %g", numbers[i])
	}
	return nil
}

// haveWidth reports whether all rows have width numbers.
func haveWidth(rows [][]float64, width int) bool {
	return !slices.ContainsFunc(rows, func(row []float64) bool { return len(row) != width })
}

// isOutside reports whether a number is too large for a trend.
func isOutside(v float64) bool { return !(math.Abs(v) <= maxTrend) }

var errReach = errors.New("the reach of the context is incomplete")

// check checks the lengths and the numbers of a reach of h features.
func (r *Reach) check(h int) error {
	if err := r.Levels.check(h); err != nil {
		return err
	}
	h = r.Levels.width(h)
	rows := append([][]float64{r.Weights, r.Lo, r.Hi}, r.Axes...)
	if len(r.Axes) > 0 && len(r.Axes) != h || !haveWidth(rows, h) {
		return errReach
	}
	for j := range h {
		if !(r.Lo[j] <= r.Hi[j]) || !(r.Weights[j] >= 0) {
			return errReach
		}
	}
	if !(r.Bent >= 0) || isOutside(r.Bent) || slices.ContainsFunc(slices.Concat(rows...), isOutside) {
		return errReach
	}
	return nil
}
