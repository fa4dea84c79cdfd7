package trend

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// maxTrend bounds the numbers of a trend, which are of standardised features and targets.
const maxTrend = 1e12

// leastLength is the least length of a kernel, so that its exponentials are finite.
const leastLength = 0.25

// ErrIncomplete is the error of trends that lack a part, or that lack a trend that members have.
var ErrIncomplete = errors.New("the trend is incomplete")

// restore checks a trend of so many features and classes, and makes it ready.
func (t *Trend) restore(kind string, features, classes int) error {
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

// check checks the lengths and the sizes of the numbers of a trend of h features.
func (t *Trend) check(h int) error {
	terms, single := h, []float64{t.Scale, t.Length, t.Mixing, t.Doubt, t.Shared}
	numbers := slices.Concat(t.Offsets, t.Columns, single)
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
	if len(t.Weights) != len(t.Offsets) || len(t.Centres) > maxCentres ||
		len(t.Axes) > 0 && (len(t.Axes) != h || len(t.Centres) == 0) {
		return ErrIncomplete
	}
	for _, row := range slices.Concat(t.Centres, t.Axes) {
		if len(row) != h {
			return ErrIncomplete
		}
		numbers = append(numbers, row...)
	}
	for _, w := range t.Weights {
		if len(w) != terms {
			return ErrIncomplete
		}
		numbers = append(numbers, w...)
	}
	for _, v := range numbers {
		if !(math.Abs(v) <= maxTrend) {
			return fmt.Errorf("%g in the trend", v)
		}
	}
	return nil
}

var errReach = errors.New("the reach of the context is incomplete")

// check checks the lengths and the numbers of a reach of h features.
func (r *Reach) check(h int) error {
	if len(r.Weights) != h || len(r.Lo) != h || len(r.Hi) != h || len(r.Axes) > 0 && len(r.Axes) != h {
		return errReach
	}
	numbers := slices.Concat(r.Weights, r.Lo, r.Hi, []float64{r.Bent})
	for j := range r.Lo {
		if !(r.Lo[j] <= r.Hi[j]) || !(r.Weights[j] >= 0) {
			return errReach
		}
	}
	for _, axis := range r.Axes {
		if len(axis) != h {
			return errReach
		}
		numbers = append(numbers, axis...)
	}
	for _, v := range numbers {
		if !(math.Abs(v) <= maxTrend) {
			return errReach
		}
	}
	if !(r.Bent >= 0) {
		return errReach
	}
	return nil
}
