package evaluate_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
)

// uniform is the distribution whose quantiles are ranks.
var uniform = distuv.Uniform{Max: 1}

// localRow is the estimate of a functional at a row with a local sample size.
func localRow(
	t *testing.T, l *evaluate.Local, spec amp.Spec,
) func(ppd amp.PPD, m float64) amp.Estimate {
	t.Helper()
	s, err := l.Prepare(t.Context(), amp.Shape{}, spec)
	if err != nil {
		t.Fatal(err)
	}
	return func(ppd amp.PPD, m float64) amp.Estimate {
		return s.Estimate(amp.Prediction{PPD: ppd, Size: m})
	}
}

// Widths shrink as the local sample size grows; beyond the grid they stay.
func TestLocalRow(t *testing.T) {
	grid := []float64{0.1, 1, 10, 100, 1000, 1e4}
	local := &evaluate.Local{Sizes: grid, Sampler: amp.Sampler{Chains: 400, Seed: 1}}
	for _, kind := range []amp.IntervalKind{amp.EqualTailed, amp.HighestDensity} {
		row := localRow(t, local, amp.Spec{Functional: amp.Quantile{Level: 0.5}, Interval: kind,
			Errors: true})
		last := math.Inf(1)
		for _, m := range []float64{0.1, 1, 10, 100, 1000} {
			e := row(distuv.UnitNormal, m)
			if w := e.Hi - e.Lo; !(w > 0 && w < last) {
				t.Errorf("%v, m = %v: width %v after %v", kind, m, w, last)
			} else {
				last = w
			}
		}
		if e := row(distuv.UnitNormal, 10); !math.IsNaN(e.LoSE) || !math.IsNaN(e.HiSE) {
			t.Errorf("%v: interpolated limits have the standard errors %v and %v", kind, e.LoSE, e.HiSE)
		}
		if a, b := row(distuv.UnitNormal, 1e9), row(distuv.UnitNormal, 1e12); a.Lo != b.Lo {
			t.Errorf("%v: limits differ beyond the grid", kind)
		}
		if e := row(distuv.UnitNormal, math.NaN()); !math.IsNaN(e.Lo) || !math.IsNaN(e.Hi) {
			t.Errorf("%v: an unknown size gave [%v, %v]", kind, e.Lo, e.Hi)
		}
	}
}

// Interpolated ranks are those of a posterior drawn for the very size, up to the Monte-Carlo
// error of 1000 chains, about 0.006.
func TestLocalInterpolation(t *testing.T) {
	const chains = 1000
	grid := []float64{0.5, 1, 2, 4, 64, 128, 1024, 2048}
	local := &evaluate.Local{Kind: amp.Limit, Sizes: grid,
		Sampler: amp.Sampler{Chains: chains, Seed: 3}}
	sizes := []float64{0.7, 3, 90, 1500}
	drawn := make([]*amp.RankPosterior, len(sizes))
	for i, m := range sizes {
		sampler := amp.Sampler{Schedule: amp.LocalSchedule{Size: m}, Chains: chains, Seed: 3}
		var err error
		if drawn[i], err = sampler.Draw(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []amp.Functional{amp.Quantile{Level: 0.5}, amp.Quantile{Level: 0.9},
		amp.Mean{}} {
		spec := amp.Spec{Functional: f, Posterior: amp.Limit}
		row := localRow(t, local, spec)
		for i, m := range sizes {
			alone, err := drawn[i].Summarizer(t.Context(), spec)
			if err != nil {
				t.Fatal(err)
			}
			want := alone.Row(uniform)
			got := row(uniform, m)
			if math.Abs(got.Lo-want.Lo) > 0.012 || math.Abs(got.Hi-want.Hi) > 0.012 {
				t.Errorf("%v, m = %v: [%.4f, %.4f], drawn for m [%.4f, %.4f]",
					f, m, got.Lo, got.Hi, want.Lo, want.Hi)
			}
		}
	}
}

// For a conjugate normal model the local posterior's interval of the median is about √(π/2)
// times as wide as the exact one: the price of being nonparametric about a median.
func TestLocalWidthBesideConjugate(t *testing.T) {
	local := &evaluate.Local{Kind: amp.Limit, Sizes: []float64{16, 128, 1024},
		Sampler: amp.Sampler{Chains: 2000, Seed: 1}}
	row := localRow(t, local, amp.Spec{Functional: amp.Quantile{Level: 0.5}})
	for _, m := range []float64{20, 128, 1000} {
		v := 1 / m
		e := row(distuv.Normal{Sigma: math.Sqrt(1 + v)}, m)
		ratio := (e.Hi - e.Lo) / (2 * 1.6449 * math.Sqrt(v))
		if t.Logf("m = %v: width ratio %.3f", m, ratio); ratio < 1.1 || ratio > 1.4 {
			t.Errorf("m = %v: width %.3f times the exact one", m, ratio)
		}
	}
}
