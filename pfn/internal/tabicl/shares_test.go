package tabicl

import (
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/trend"
)

var shareTrends = []string{trend.Kernel, trend.None, trend.Linear}

// classesOf cuts a target into classes of nearly equal size.
func classesOf(y []float64, classes int) []float64 {
	sorted := slices.Sorted(slices.Values(y))
	out := make([]float64, len(y))
	for i, v := range y {
		rank, _ := slices.BinarySearch(sorted, v)
		out[i] = float64(rank * classes / len(y))
	}
	return out
}

// Members of a classifier with trends are plain or read shares of the classes, of at most ten.
func TestShareMembers(t *testing.T) {
	z, target := linearTable(60, 3, 0.3)
	for _, c := range []struct {
		classes int
		widths  []int
	}{{2, []int{4, 3, 4, 4}}, {3, []int{6, 3, 6, 6}}, {10, []int{13, 3, 13, 13}},
		{11, []int{3, 3, 3, 3}}} {
		preset := Preset{Classes: c.classes, Ensemble: models.Ensemble{Members: 4, Norms: bothNorms,
			Seed: 1, OutlierThreshold: 4, Shuffle: models.ShuffleDiagonal, Trends: shareTrends}}
		transformer, lesson := Fit(z, make([]bool, 3), classesOf(target, c.classes), preset)
		queries := transformer.Queries(z)
		for b, m := range transformer.Members {
			width := c.widths[b]
			if len(m.Permutation) != width || len(lesson.Rows[b]) != 60*width ||
				len(queries[b]) != 60*width {
				t.Errorf("%d classes, member %d: width %d, want %d", c.classes, b, len(m.Permutation), width)
			}
			if plain := width == 3; plain != slices.Equal(lesson.Rows[b], queries[b]) {
				t.Errorf("%d classes, member %d reads context rows as queries: %t", c.classes, b, !plain)
			}
		}
	}
}
