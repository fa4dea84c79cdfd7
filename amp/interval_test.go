package amp

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSelectAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		few := rapid.SampledFrom([]float64{0, 1, 2, 3})
		x := rapid.SliceOfN(rapid.OneOf(rapid.Float64(), few), 1, 200).Draw(t, "x")
		ks := rapid.SliceOfNDistinct(rapid.IntRange(0, len(x)-1), 0, -1, rapid.ID).Draw(t, "ks")
		slices.Sort(ks)
		want := slices.Sorted(slices.Values(x))
		selectAll(x, ks, 0)
		for _, k := range ks {
			if x[k] != want[k] {
				t.Fatalf("position %d: %v, want %v", k, x[k], want[k])
			}
		}
		if slices.Sort(x); !slices.Equal(x, want) {
			t.Fatal("values changed")
		}
	})
}

// TestRule checks the limits against their definitions.
func TestRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Float64Range(-1e6, 1e6), rapid.Just(1.0))
		x := rapid.SliceOfN(value, 2, 300).Draw(t, "x")
		spec := Spec{Level: rapid.Float64Range(0.01, 0.999).Draw(t, "level"),
			Errors: rapid.Bool().Draw(t, "errors")}
		sorted := slices.Sorted(slices.Values(x))
		l := newRule(spec, len(x)).of(slices.Clone(x))
		below, above := 0, 0
		for _, v := range x {
			if v < l.lo {
				below++
			}
			if v > l.hi {
				above++
			}
		}
		tail := (1 - spec.Level) / 2 * float64(len(x))
		if l.lo > l.hi || float64(below) > tail || float64(above) > tail {
			t.Fatalf("equal tails: [%v, %v] leaves %d and %d of %d out",
				l.lo, l.hi, below, above, len(x))
		}
		spec.Interval = HighestDensity
		h := newRule(spec, len(x)).of(slices.Clone(x))
		need, best := ceil(spec.Level*float64(len(x))), math.Inf(1)
		for i := 0; i+need-1 < len(x); i++ {
			best = math.Min(best, sorted[i+need-1]-sorted[i])
		}
		if h.hi-h.lo != best {
			t.Fatalf("highest density: width %v, shortest %v", h.hi-h.lo, best)
		}
		if se := h.loSE + h.hiSE + l.loSE + l.hiSE; math.IsNaN(se) == spec.Errors || se < 0 {
			t.Fatalf("errors %v: standard errors %+v, %+v", spec.Errors, l, h)
		}
	})
}

func TestRuleWithNaN(t *testing.T) {
	for _, kind := range []IntervalKind{EqualTailed, HighestDensity} {
		r := newRule(Spec{Level: 0.9, Interval: kind}, 5)
		if l := r.of([]float64{1, 2, math.NaN(), 3, 4}); !math.IsNaN(l.lo) || !math.IsNaN(l.hi) {
			t.Errorf("%v: limits %v", kind, l)
		}
	}
}
