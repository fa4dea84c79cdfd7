package distr

import (
	"math"
	"math/rand/v2"
	"testing"
)

// bars of the vectors below, which FullSupportBarDistribution of tabpfn computed.
func vectorBars(compat bool) *Bars {
	return NewBars([]float64{-2, -1, .5, 1, 3}, []float64{.1, .2, .4, .3}, compat)
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-6*math.Max(1, math.Abs(want))) {
		t.Errorf("%s = %.8g, want %.8g", what, got, want)
	}
}

func TestBarsMatchTheReference(t *testing.T) {
	d := vectorBars(true)
	near(t, "mean", d.Mean(), 1.0414727)
	near(t, "variance", d.Variance(), 4.1123338)
	for p, want := range map[float64]float64{.05: -1.5, .1: -1, .25: .125, .3: .5, .5: .75, .7: 1,
		.9: 2.3333333, 1: 3, 0: -2} {
		near(t, "quantile", d.Quantile(p), want)
	}
	for y, want := range map[float64]float64{-1.5: .05, -1: .1, 0: .2333333, .5: .3, .75: .5,
		2: .85, 3: 1, -2: 0, -9: 0, 9: 1} {
		near(t, "cdf", d.CDF(y), want)
	}
	for y, want := range map[float64]float64{-3: .0216652, -2: .0428674, -1.5: .0508415,
		-1: .0538165, 0: .1333333, .5: .1333333, .75: .8, 2: .0762623, 3: .0643011, 5: .0324978} {
		near(t, "density", d.Density(y), want)
	}
}

func TestBarsWithTails(t *testing.T) {
	d := vectorBars(false)
	near(t, "cdf at the lowest border", d.CDF(-2), .05)
	near(t, "cdf at the highest border", d.CDF(3), .85)
	near(t, "quantile", d.Quantile(.05), -2)
	near(t, "quantile", d.Quantile(.85), 3)
	near(t, "quantile inside", d.Quantile(.5), .75)
	if !math.IsInf(d.Quantile(0), -1) || !math.IsInf(d.Quantile(1), 1) {
		t.Errorf("quantiles 0 and 1 are %g and %g", d.Quantile(0), d.Quantile(1))
	}
	for _, p := range []float64{-1, 2, math.NaN()} {
		if !math.IsNaN(d.Quantile(p)) {
			t.Errorf("Quantile(%g) = %g", p, d.Quantile(p))
		}
	}
	if !math.IsNaN(d.CDF(math.NaN())) || !math.IsNaN(d.LogDensity(math.NaN())) {
		t.Error("NaN has a probability")
	}
}

// randomBars has bars of very different widths and masses, some of them empty.
func randomBars(r *rand.Rand, k int, compat bool) *Bars {
	borders, mass := make([]float64, k+1), make([]float64, k)
	borders[0] = -3
	for i := range mass {
		borders[i+1] = borders[i] + 0.01 + math.Exp(r.NormFloat64())
		mass[i] = math.Exp(2 * r.NormFloat64())
		if i > 0 && i+1 < k && r.IntN(6) == 0 {
			mass[i] = 0
		}
	}
	return NewBars(borders, mass, compat)
}

func TestBarsObeyTheLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, k := range []int{2, 3, 10, 100} {
		d := randomBars(r, k, false)
		checkLaws(t, lawful{ppd: d, breaks: d.Borders[1:k]})
	}
	shifted := vectorBars(false)
	for i := range shifted.Borders {
		shifted.Borders[i] = 1e6 + 1e-3*shifted.Borders[i]
	}
	checkMonotone(t, lawful{ppd: shifted, breaks: shifted.Borders[1:4]})
}

func TestCompatBarsObeyWhatTheyCan(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for _, k := range []int{2, 3, 10, 100} {
		d := randomBars(r, k, true)
		for i := range 1001 {
			p := float64(i) / 1000
			y := d.Quantile(p)
			if got := d.CDF(y); math.Abs(got-p) > 1e-12 {
				t.Errorf("CDF(Quantile(%g)) = %g", p, got)
			}
			if i > 0 && y < d.Quantile(p-0.001) {
				t.Errorf("Quantile(%g) = %g decreases", p, y)
			}
		}
		checkCRPS(t, lawful{ppd: d, breaks: d.Borders})
		y := d.Borders[0] - 5
		near(t, "score below all borders", d.CRPS(y), d.CRPS(d.Borders[0])+5)
	}
}

// Outer bars of little mass, or of none, have quantiles at every level: those next to 1 are the
// start of the upper tail where rounding leaves more for it than its mass.
func TestBarsOfNegligibleTails(t *testing.T) {
	for k := 3; k < 60; k++ {
		for _, outer := range []float64{0, 5e-324, 1e-300, 1e-20} {
			borders, mass := make([]float64, k+1), make([]float64, k)
			for i := range borders {
				borders[i] = float64(i)
			}
			for i := 1; i < k-1; i++ {
				mass[i] = 1 / (float64(i) + 0.3)
			}
			mass[0], mass[k-1] = outer, outer
			d := NewBars(borders, mass, false)
			if lo, hi := d.Quantile(0), d.Quantile(1); !math.IsInf(lo, -1) || !math.IsInf(hi, 1) {
				t.Fatalf("%d bars, outer mass %g: quantiles 0 and 1 are %g and %g", k, outer, lo, hi)
			}
			for p := 1 - 0x1p-53; p > 1-0x1p-48; p -= 0x1p-53 {
				if y := d.Quantile(p); !(y > 1 && y <= float64(k-1)) && outer < 1e-20 {
					t.Fatalf("%d bars, outer mass %g: quantile %v is %g", k, outer, p, y)
				}
			}
		}
	}
}

// A distribution that is written down is one that NewBars has made.
func TestBarsLiteral(t *testing.T) {
	made := NewBars([]float64{0, 1, 2, 4}, []float64{.2, .5, .3}, false)
	literal := &Bars{Borders: made.Borders, Mass: made.Mass}
	for _, y := range []float64{-1, 0.5, 1.5, 3, 9} {
		if literal.CDF(y) != made.CDF(y) || literal.CRPS(y) != made.CRPS(y) {
			t.Errorf("at %g: %g, %g, want %g, %g", y, literal.CDF(y), literal.CRPS(y), made.CDF(y),
				made.CRPS(y))
		}
	}
	for _, p := range []float64{0.01, 0.3, 0.5, 0.99} {
		if literal.Quantile(p) != made.Quantile(p) {
			t.Errorf("quantile %g: %g, want %g", p, literal.Quantile(p), made.Quantile(p))
		}
	}
}
