package distr

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// asLawful finds the breaks and atoms of a quantile distribution.
func asLawful(d *Quantiles) lawful {
	l := lawful{ppd: d, atoms: map[float64]float64{}}
	for i := range d.Knots {
		y := d.Knot(i)
		l.breaks = append(l.breaks, y)
		if i > 0 && y == d.Knot(i-1) {
			l.atoms[y] += 1 / float64(len(d.Knots)+1)
		}
	}
	return l
}

// random draws a distribution with Q knots; ties is the share of knots equal to their neighbour.
func random(seed uint64, levels int, ties float64) *Quantiles {
	r := rand.New(rand.NewPCG(seed, 2))
	raw := make([]float64, levels)
	for i := range raw {
		raw[i] = r.NormFloat64()
		if i > 0 && r.Float64() < ties {
			raw[i] = raw[i-1]
		}
	}
	d := NewQuantiles(raw)
	d.Location, d.Scale = 10*r.NormFloat64(), math.Exp(3*r.NormFloat64())
	return d
}

func TestLaws(t *testing.T) {
	for seed := range uint64(6) {
		for _, levels := range []int{8, 99, 999} {
			for _, ties := range []float64{0, 0.3} {
				checkLaws(t, asLawful(random(seed, levels, ties)))
			}
		}
	}
}

func TestLawsOfAverage(t *testing.T) {
	d := Average([]*Quantiles{random(1, 99, 0), random(2, 99, 0.5), random(3, 99, 0)},
		[]float64{0.5, 0.3, 0.2})
	d.Location, d.Scale = -3, 0.25
	checkLaws(t, asLawful(d))
}

func TestAverageIsMeanOfQuantileFunctions(t *testing.T) {
	members := []*Quantiles{random(1, 99, 0), random(2, 99, 0.5), random(3, 99, 0)}
	for _, m := range members {
		m.Location, m.Scale = 0, 1
	}
	weights := []float64{0.5, 0.3, 0.2}
	avg := Average(members, weights)
	for _, p := range levels() {
		var want float64
		for b, m := range members {
			want += weights[b] * m.Quantile(p)
		}
		if got := avg.Quantile(p); math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
			t.Errorf("Quantile(%g) = %g, mean of the members %g", p, got, want)
		}
	}
}

// The knots of an exact normal distribution: the figures of the reference implementation.
func TestNormalKnots(t *testing.T) {
	knots := make([]float64, 999)
	for i := range knots {
		knots[i] = distuv.UnitNormal.Quantile(float64(i+1) / 1000)
	}
	d := NewQuantiles(knots)
	if got := d.Quantile(1e-4); math.Abs(got+3.90) > 0.005 {
		t.Errorf("Quantile(0.0001) = %.3f, want -3.90", got)
	}
	if math.Abs(d.Mean()) > 1e-12 || math.Abs(d.Variance()-1) > 0.01 {
		t.Errorf("mean %g, variance %g", d.Mean(), d.Variance())
	}
	for _, y := range []float64{-1.3, 0, 2.1} {
		normal := distuv.UnitNormal
		want := y*(2*normal.CDF(y)-1) + 2*normal.Prob(y) - 1/math.Sqrt(math.Pi)
		if got := d.CRPS(y); math.Abs(got-want) > 1e-4 {
			t.Errorf("CRPS(%g) = %g, normal distribution %g", y, got, want)
		}
	}
}

func TestTailScaleBounds(t *testing.T) {
	flat := NewQuantiles(make([]float64, 99))
	if flat.Left != minTailScale || flat.Right != minTailScale {
		t.Errorf("equal knots have tails %g and %g", flat.Left, flat.Right)
	}
	wide := make([]float64, 99)
	for i := range wide {
		wide[i] = 1e6 * float64(i-49)
	}
	if d := NewQuantiles(wide); d.Left != maxTailScale || d.Right != maxTailScale {
		t.Errorf("wide knots have tails %g and %g", d.Left, d.Right)
	}
}

func TestAtom(t *testing.T) {
	d := NewQuantiles([]float64{0, 1, 1, 1, 2, 3, 4, 5, 6}) // levels 0.1 to 0.9
	if got := d.CDF(1); math.Abs(got-0.4) > 1e-12 {
		t.Errorf("CDF at the atom = %g, want 0.4", got)
	}
	if got := d.CDF(math.Nextafter(1, 0)); math.Abs(got-0.2) > 1e-12 {
		t.Errorf("CDF before the atom = %g, want 0.2", got)
	}
	for _, p := range []float64{0.2, 0.3, 0.4} {
		if got := d.Quantile(p); got != 1 {
			t.Errorf("Quantile(%g) = %g, want 1", p, got)
		}
	}
	if !math.IsInf(d.Density(1), 1) {
		t.Errorf("density at the atom = %g", d.Density(1))
	}
}

func TestPointMass(t *testing.T) {
	d := Point(4, 99)
	if d.Scale != 0 || random(1, 99, 0).Scale == 0 {
		t.Error("degenerate flag is wrong")
	}
	for _, p := range []float64{0, 0.3, 1} {
		if d.Quantile(p) != 4 {
			t.Errorf("Quantile(%g) = %g", p, d.Quantile(p))
		}
	}
	if d.CDF(3.999) != 0 || d.CDF(4) != 1 || d.Mean() != 4 || d.Variance() != 0 || d.CRPS(1) != 3 {
		t.Error("a point mass is not at its point")
	}
	if d.Density(4) != math.Inf(1) || d.Density(5) != 0 {
		t.Error("density of a point mass")
	}
}

func TestEnds(t *testing.T) {
	d := random(6, 99, 0)
	if !math.IsInf(d.Quantile(0), -1) || !math.IsInf(d.Quantile(1), 1) {
		t.Errorf("quantiles at 0 and 1: %g, %g", d.Quantile(0), d.Quantile(1))
	}
	if d.CDF(math.Inf(-1)) != 0 || d.CDF(math.Inf(1)) != 1 {
		t.Error("CDF at infinity")
	}
	for _, v := range []float64{d.Quantile(-0.1), d.Quantile(1.1), d.CDF(math.NaN())} {
		if !math.IsNaN(v) {
			t.Errorf("%g where NaN was due", v)
		}
	}
	if got := d.Quantile(math.SmallestNonzeroFloat64); math.IsInf(got, 0) {
		t.Error("smallest level has no finite quantile")
	}
}
