package folds

import (
	"slices"
	"testing"
)

// Folds share out all rows, and the rows of every group.
func TestStratified(t *testing.T) {
	strata := make([]int, 123)
	for i := range strata {
		strata[i] = i * i % 5 // 0, 1 and 4
	}
	of := Stratified(3, strata, 10)
	for g := -1; g < 5; g++ { // -1: all rows
		sizes, n := make([]int, 10), 0
		for row, k := range of {
			if g < 0 || strata[row] == g {
				sizes[k]++
				n++
			}
		}
		if slices.Min(sizes) < n/10 || slices.Max(sizes) > (n+9)/10 {
			t.Errorf("group %d of %d rows: folds of %v", g, n, sizes)
		}
	}
	if slices.Equal(of, Stratified(4, strata, 10)) || !slices.Equal(of, Stratified(3, strata, 10)) {
		t.Error("the seed does not draw the folds")
	}
}
