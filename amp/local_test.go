package amp

import (
	"math"
	"testing"
)

// The schedule keeps the posterior spread of infinitely many steps: the sum of squared rates is
// that of Σ (m+j)^-2 unless the cap at 1 binds.
func TestLocalScheduleKeepsTheSpread(t *testing.T) {
	for _, m := range []float64{3, 20, 700} {
		rates, err := LocalSchedule{Size: m}.Rates(50)
		if err != nil {
			t.Fatal(err)
		}
		got, want := 0.0, 0.0
		for _, a := range rates {
			got += a * a
		}
		for j := 1; j < 2_000_000; j++ {
			want += 1 / ((m + float64(j)) * (m + float64(j)))
		}
		if math.Abs(got/want-1) > 1e-3 {
			t.Errorf("m = %v: squared rates sum to %v, want %v", m, got, want)
		}
	}
}

func TestLocalScheduleRefuses(t *testing.T) {
	for _, m := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := (LocalSchedule{Size: m}).Rates(5); err == nil {
			t.Errorf("size %v was accepted", m)
		}
	}
	if _, err := (LocalSchedule{Size: 1}).Rates(0); err == nil {
		t.Error("no steps were accepted")
	}
	for _, sizes := range [][]float64{{1}, {2, 1}, {0, 1}} {
		if _, err := (LocalSampler{Sizes: sizes}).Draw(t.Context()); err == nil {
			t.Errorf("grid %v was accepted", sizes)
		}
	}
}

// Interpolated ranks are those of a posterior drawn for the very size, up to the Monte-Carlo
// error of 1000 chains, about 0.006.
func TestLocalInterpolation(t *testing.T) {
	const chains = 1000
	grid := []float64{0.5, 1, 2, 4, 64, 128, 1024, 2048}
	local, err := LocalSampler{Sizes: grid, Chains: chains, Seed: 3}.Draw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	sizes := []float64{0.7, 3, 90, 1500}
	drawn := make([]*RankPosterior, len(sizes))
	for i, m := range sizes {
		drawn[i] = draw(t, Sampler{Schedule: LocalSchedule{Size: m}, Chains: chains, Seed: 3})
	}
	for _, f := range []Functional{Quantile{0.5}, Quantile{0.9}, Mean{}} {
		spec := Spec{Functional: f, Posterior: Limit}
		s, err := local.Summarizer(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range sizes {
			want := summarizer(t, drawn[i], spec).Row(uniformPPD{})
			got := s.Row(uniformPPD{}, m)
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
	grid := []float64{16, 128, 1024}
	local, err := LocalSampler{Sizes: grid, Chains: 2000, Seed: 1}.Draw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s, err := local.Summarizer(t.Context(), Spec{Functional: Quantile{0.5}, Posterior: Limit})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []float64{20, 128, 1000} {
		v := 1 / m
		e := s.Row(normalPPD{0, math.Sqrt(1 + v)}, m)
		ratio := (e.Hi - e.Lo) / (2 * 1.6449 * math.Sqrt(v))
		t.Logf("m = %v: width ratio %.3f", m, ratio)
		if ratio < 1.1 || ratio > 1.4 {
			t.Errorf("m = %v: width %.3f times the exact one", m, ratio)
		}
	}
}

// Widths shrink as the local sample size grows; beyond the grid they stay.
func TestLocalRow(t *testing.T) {
	grid := []float64{0.1, 1, 10, 100, 1000, 1e4}
	local, err := LocalSampler{Sizes: grid, Chains: 400, Seed: 1}.Draw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []IntervalKind{EqualTailed, HighestDensity} {
		s, err := local.Summarizer(t.Context(), Spec{Functional: Quantile{0.5}, Interval: kind})
		if err != nil {
			t.Fatal(err)
		}
		last := math.Inf(1)
		for _, m := range []float64{0.1, 1, 10, 100, 1000} {
			e := s.Row(normalPPD{0, 1}, m)
			if w := e.Hi - e.Lo; !(w > 0 && w < last) {
				t.Errorf("%v, m = %v: width %v after %v", kind, m, w, last)
			} else {
				last = w
			}
		}
		if a, b := s.Row(normalPPD{0, 1}, 1e9), s.Row(normalPPD{0, 1}, 1e12); a.Lo != b.Lo {
			t.Errorf("%v: limits differ beyond the grid", kind)
		}
		if e := s.Row(normalPPD{0, 1}, math.NaN()); !math.IsNaN(e.Lo) || !math.IsNaN(e.Hi) {
			t.Errorf("%v: an unknown size gave [%v, %v]", kind, e.Lo, e.Hi)
		}
	}
	if _, err := local.Summarizer(t.Context(), Spec{Errors: true}); err == nil {
		t.Error("Monte-Carlo errors were promised")
	}
}
