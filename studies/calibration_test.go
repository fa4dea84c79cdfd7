package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/pfnamp/pfnamp/evaluate"
)

// Functions are finite and of standard deviation one, and labels at the query rows have the
// distribution that the truth says.
func TestFamilies(t *testing.T) {
	for _, k := range families() {
		for _, d := range []int{2, 5, 20} {
			random := rand.New(rand.NewPCG(1, uint64(d)))
			w := k.world(random, d, 3, 4000, 0.5)
			if sd := stat.StdDev(w.f, nil); k.name != "nothing" && math.Abs(sd-1) > 0.01 {
				t.Errorf("%s, d = %d: standard deviation %v", k.name, d, sd)
			}
			below, mean, above := 0.0, 0.0, 0.0
			for i := range w.f {
				y := w.f[i] + w.s[i]*k.law.Quantile(random.Float64())
				if y <= w.quantile(i, 0.9) {
					below++
				}
				mean += y - w.mean(i)
				above -= w.exceeds(i, 0.3)
				if y > 0.3 {
					above++
				}
			}
			n := float64(len(w.f))
			if math.Abs(below/n-0.9) > 0.03 || math.Abs(mean/n) > 0.05 || math.Abs(above/n) > 0.03 {
				t.Errorf("%s, d = %d: %v below q0.9, means %v off, events %v off",
					k.name, d, below/n, mean/n, above/n)
			}
		}
	}
}

// The interval score by hand: intervals of length 2, a truth inside, one 1 above and one 0.5 below,
// at the level 0.9, where what is outside counts twenty times.
func TestIntervalScoreByHand(t *testing.T) {
	in := evaluate.Interval{Lo: 0, Hi: 2}
	for truth, want := range map[float64]float64{1: 2, 0: 2, 3: 22, -0.5: 12} {
		got := intervalScore([]evaluate.Interval{in}, []float64{truth}, 0.9)
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%v scores %v, want %v", truth, got, want)
		}
	}
	all := []evaluate.Interval{in, in, {Lo: 3, Hi: 7}}
	if got := intervalScore(all, []float64{3, -0.5, 5}, 0.5); math.Abs(got-(6+4+4)/3.) > 1e-12 {
		t.Errorf("the mean is %v", got)
	}
}
