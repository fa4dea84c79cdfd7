package amp

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// field draws a field that cannot fail.
func field(t *testing.T, s JointSampler) *Field {
	t.Helper()
	f, err := s.Draw()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The field is standard normal at every row, and its correlation is that of the kernel.
func TestFieldFollowsItsKernel(t *testing.T) {
	f := field(t, JointSampler{Lengths: []float64{1, 2, math.Inf(1)}, Waves: 2000, Seed: 1})
	at := func(x ...float64) []float64 {
		z := make([]float64, f.Draws())
		f.Values(z, x)
		return z
	}
	origin := at(0, 0, 0)
	for _, x := range [][]float64{{0.5, 0, 0}, {1, 1, 9}, {0, 3, -4}, {4, 0, 0}} {
		z := at(x...)
		want := math.Exp(-0.5 * (x[0]*x[0] + x[1]*x[1]/4))
		if got := stat.Correlation(origin, z, nil); math.Abs(got-want) > 0.06 {
			t.Errorf("x = %v: correlation %.3f, want %.3f", x, got, want)
		}
		if p := ksOne(z, normalPPD{0, 1}.CDF); p < 1e-3 {
			t.Errorf("x = %v: not standard normal, p = %v", x, p)
		}
	}
}

// Coupling changes the order of a row's draws and nothing else; rows at the same place move
// together, distant ones do not.
func TestCoupledKeepsMarginals(t *testing.T) {
	const draws = 600
	p := draw(t, Sampler{Schedule: PaperSchedule{Rows: 100, Features: 2}, Chains: draws})
	f := field(t, JointSampler{Lengths: []float64{1}, Draws: draws, Seed: 4})
	for _, functional := range []Functional{Quantile{0.9}, Mean{}, AtMost(0.3)} {
		s := summarizer(t, p, Spec{Functional: functional})
		row, other := normalPPD{0, 1}, normalPPD{5, 2}
		coupled := s.Coupled(Prediction{PPD: row}, ranksAt(f, []float64{0}))
		alone := s.Draws(nil, row)
		lo, hi := CredibleInterval(slices.Clone(coupled), DefaultLevel, EqualTailed)
		if e := s.Row(row); functional != AtMost(0.3) && (e.Lo != lo || e.Hi != hi) {
			t.Errorf("%v: interval [%v, %v], of the row alone [%v, %v]", functional, lo, hi, e.Lo, e.Hi)
		}
		sorted := slices.Sorted(slices.Values(coupled))
		slices.Sort(alone)
		if !slices.Equal(sorted, alone) {
			t.Errorf("%v: the draws changed", functional)
		}
		beside := func(x float64) float64 {
			others := s.Coupled(Prediction{PPD: other}, ranksAt(f, []float64{x}))
			return stat.Correlation(coupled, others, nil)
		}
		near, far := beside(0.01), beside(50)
		if functional != AtMost(0.3) && (near < 0.95 || math.Abs(far) > 0.25) {
			t.Errorf("%v: correlation %.2f near and %.2f far", functional, near, far)
		}
	}
}

// A simultaneous band holds whole curves as often as it says: curves of another field.
func TestSimultaneousBandHolds(t *testing.T) {
	const draws, rows = 4000, 60
	lengths := []float64{0.2}
	f := field(t, JointSampler{Lengths: lengths, Draws: draws, Seed: 5})
	truth := field(t, JointSampler{Lengths: lengths, Draws: draws, Seed: 6})
	var band Simultaneous
	x := func(i int) []float64 { return []float64{float64(i) / rows} }
	for i := range rows {
		band.Add(ranksAt(f, x(i)))
	}
	level := band.PointwiseLevel(0.9)
	if !(level > 0.95 && level < 1) {
		t.Fatalf("pointwise level %v", level)
	}
	limit, held, z := normalQuantile((1+level)/2), make([]bool, draws), make([]float64, draws)
	for b := range held {
		held[b] = true
	}
	for i := range rows {
		truth.Values(z, x(i))
		for b, v := range z {
			held[b] = held[b] && math.Abs(v) <= limit
		}
	}
	share := 0.0
	for _, in := range held {
		if in {
			share += 1. / draws
		}
	}
	if math.Abs(share-0.9) > 0.03 {
		t.Errorf("the band holds %.3f of the curves, want 0.9", share)
	}
	var alone Simultaneous
	alone.Add(ranksAt(f, x(0)))
	if got := alone.PointwiseLevel(0.9); math.Abs(got-0.9) > 1e-3 {
		t.Errorf("band of one row: pointwise level %v", got)
	}
	for _, wanted := range []float64{0.9999, MaxLevel} { // beyond what 4000 draws tell apart
		if got := band.PointwiseLevel(wanted); !(got >= wanted && got < 1) {
			t.Errorf("band of level %v: pointwise level %v", wanted, got)
		}
	}
}

func TestJointRefuses(t *testing.T) {
	for _, s := range []JointSampler{
		{}, {Lengths: []float64{0}}, {Lengths: []float64{math.NaN()}},
		{Lengths: []float64{1}, Draws: 1}, {Lengths: []float64{1}, Waves: -1},
		{Lengths: []float64{1}, Draws: 1 << 20, Waves: 1 << 20},
	} {
		if _, err := s.Draw(); err == nil {
			t.Errorf("%+v was accepted", s)
		}
	}
}

// ranksAt are the ranks of the draws at a row.
func ranksAt(f *Field, x []float64) []int {
	z := make([]float64, f.Draws())
	f.Values(z, x)
	return RanksOf(z)
}
