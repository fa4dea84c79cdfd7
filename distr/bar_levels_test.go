package distr

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestBarsAtEveryLevel reads central intervals of bars of any mass in units from the smallest to
// the largest: they are finite, contain the median, and grow with the level.
func TestBarsAtEveryLevel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := math.Pow(10, rapid.Float64Range(-290, 299).Draw(t, "unit"))
		n := rapid.IntRange(2, 30).Draw(t, "bars")
		logits := rapid.SliceOfN(rapid.Float64Range(-800, 10), n, n).Draw(t, "logits")
		borders, mass := make([]float64, n+1), make([]float64, n)
		for i := range borders {
			borders[i] = unit * float64(i-n/2)
		}
		for i, x := range logits {
			mass[i] = math.Exp(x - slices.Max(logits))
		}
		d := NewBars(borders, mass, rapid.Bool().Draw(t, "compat"))
		middle, below, above := d.Quantile(0.5), d.Quantile(0.5), d.Quantile(0.5)
		for _, level := range []float64{1e-300, 0.5, 0.9, 0.999, 1 - 1e-9, 1 - 1e-12} {
			tail := (1 - level) / 2
			lo, hi := d.Quantile(tail), d.Quantile(1-tail)
			if !(hi-lo < math.Inf(1)) || lo > below || hi < above {
				t.Fatalf("level %v: [%g, %g] around %g, after [%g, %g]", level, lo, hi, middle,
					below, above)
			}
			below, above = lo, hi
		}
	})
}
