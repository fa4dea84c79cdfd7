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
}
