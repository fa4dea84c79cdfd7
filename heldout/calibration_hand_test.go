package heldout

import (
	"testing"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/internal/matrix"
)

// CV+ by hand, of two folds whose models say different things. Level 0.6, five rows in group 0:
// the ⌈0.6·6⌉ = fourth smallest of {Hi + R} and the second smallest of {Lo - R}. The model without
// fold 0 says 0 to 10, with the misses 1, 2 and 7: lower ends -1, -2 and -7, upper ones 11, 12, 17.
// The model without fold 1 says 4 to 40, with the misses 3 and 5: lower ends 1 and -1, upper ones
// 43 and 45. Group 1 has four rows, all of fold 1 but one: the third smallest upper end and the
// second smallest lower end of 0 - 20, 4 - 1, 4 - 2, 4 - 3 and of 10 + 20, 40 + 1, 40 + 2, 40 + 3.
func TestIntervalByHand(t *testing.T) {
	foldOf := []int{0, 1, 0, 1, 0, 1, 1, 1, 0, -1}
	groups := []int{0, 0, 0, 0, 0, 1, 1, 1, 1, 0}
	scores := []float64{1, 3, 7, 5, 2, 1, 2, 3, 20, 100}
	says := []distr.Interval{{Lo: 0, Hi: 10}, {Lo: 4, Hi: 40}}
	c := grouped(0.6, 2, foldOf, groups, scores)
	for group, want := range []distr.Interval{{Lo: -2, Hi: 43}, {Lo: 1, Hi: 42}} {
		if got := c[group].interval(says, 1); got != want {
			t.Errorf("group %d: %v, want %v", group, got, want)
		}
	}
	if len(c[0].rows) != 5 || len(c[1].rows) != 4 {
		t.Errorf("%d and %d rows", len(c[0].rows), len(c[1].rows))
	}
	// A label is usual if fewer than four rows have a smaller miss than under the model of their fold.
	for _, s := range []struct {
		scores []float64 // of a label, under the models without folds 0 and 1
		usual  bool
	}{{[]float64{8, 4}, false}, {[]float64{4, 8}, false}, {[]float64{8, 3}, true},
		{[]float64{3, 5}, true}, {[]float64{3, 6}, false}} {
		if got := c[0].usual(s.scores, 1); got != s.usual {
			t.Errorf("scores %v: usual is %v", s.scores, got)
		}
	}
}

// At the level 0.8, of 99 rows 79 may have a smaller miss than a usual label.
func TestUsualToTheRow(t *testing.T) {
	misses := make([]float64, 99)
	for i := range misses {
		misses[i] = float64(i)
	}
	c := newCalibration(0.8, 1, matrix.Upto(99), make([]int, 99), misses, nil)
	if !c.usual([]float64{79}, 1) || c.usual([]float64{79.5}, 1) {
		t.Error("the last usual label has another rank than 80 of 100")
	}
}
