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
	for _, sizes := range [][]float64{{}, {1}, {2, 1}, {0, 1}, {1, 8, 8}, {math.NaN(), 1}} {
		if _, err := (LocalSampler{Sizes: sizes}).Draw(t.Context()); err == nil {
			t.Errorf("grid %v was accepted", sizes)
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
