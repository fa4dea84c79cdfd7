package distr

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
)

// lawful is a distribution with what a checker must know to integrate it exactly.
type lawful struct {
	ppd    PPD
	breaks []float64           // ascending points where the density may jump
	atoms  map[float64]float64 // mass of every atom
}

// checkLaws tests what every PPD promises: monotone CDF and quantile function that are inverse to
// each other, and density, mean, variance and CRPS that agree with numerical integration.
func checkLaws(t *testing.T, l lawful) {
	t.Helper()
	checkInverse(t, l)
	checkMonotone(t, l)
	checkMoments(t, l)
	checkCRPS(t, l)
}

// levels are probabilities from deep in one tail to deep in the other.
func levels() []float64 {
	var p []float64
	for e := -300; e < -2; e += 7 {
		p = append(p, math.Pow(10, float64(e)))
	}
	for i := 1; i < 2000; i++ {
		p = append(p, float64(i)/2000)
	}
	for e := -4; e >= -15; e-- {
		p = append(p, 1-math.Pow(10, float64(e)))
	}
	return p
}

func checkInverse(t *testing.T, l lawful) {
	t.Helper()
	for _, p := range levels() {
		y := l.ppd.Quantile(p)
		got := l.ppd.CDF(y)
		low := p - 1e-13 - 1e-9*p
		high := p + 1e-13 + 1e-9*p + l.atomAt(y)
		if !(got >= low && got <= high) {
			t.Errorf("CDF(Quantile(%g)) = %g at y = %g", p, got, y)
		}
	}
	for _, y := range l.grid() {
		p := l.ppd.CDF(y)
		if p > 1-1e-6 {
			continue // 1-p has lost its digits
		}
		back := l.ppd.Quantile(p)
		if !(back <= y+1e-9*l.scale()) {
			t.Errorf("Quantile(CDF(%g)) = %g is above it", y, back)
		}
		if l.ppd.Density(y) > 1e-6/l.scale() && back < y-1e-7*l.scale() {
			t.Errorf("Quantile(CDF(%g)) = %g", y, back)
		}
	}
}

func checkMonotone(t *testing.T, l lawful) {
	t.Helper()
	last := math.Inf(-1)
	for _, p := range levels() {
		y := l.ppd.Quantile(p)
		if y < last {
			t.Errorf("Quantile(%g) = %g is below %g", p, y, last)
		}
		last = y
	}
	last = 0
	for _, y := range l.grid() {
		p := l.ppd.CDF(y)
		if !(p >= last && p <= 1) {
			t.Errorf("CDF(%g) = %g after %g", y, p, last)
		}
		last = p
		if d := l.ppd.Density(y); math.Abs(math.Log(d)-l.ppd.LogDensity(y)) > 1e-9 && d > 0 {
			t.Errorf("Density(%g) = %g, LogDensity = %g", y, d, l.ppd.LogDensity(y))
		}
	}
}

func checkMoments(t *testing.T, l lawful) {
	t.Helper()
	mean, s := l.ppd.Mean(), l.scale()
	mass := l.integrate(l.ppd.Density)
	first := l.integrate(func(y float64) float64 { return (y - mean) / s * l.ppd.Density(y) })
	second := l.integrate(func(y float64) float64 {
		return (y - mean) / s * (y - mean) / s * l.ppd.Density(y)
	})
	for y, m := range l.atoms {
		z := (y - mean) / s
		mass, first, second = mass+m, first+m*z, second+m*z*z
	}
	if math.Abs(mass-1) > 1e-8 {
		t.Errorf("density and atoms sum to %.12g", mass)
	}
	if math.Abs(first) > 1e-8 {
		t.Errorf("mean %g is off by %g deviations", mean, first)
	}
	if want := l.ppd.Variance() / (s * s); math.Abs(second-want) > 1e-7*(1+want) {
		t.Errorf("variance %g, integrated %g, in squared scales", want, second)
	}
}

func checkCRPS(t *testing.T, l lawful) {
	t.Helper()
	for _, p := range []float64{1e-6, 0.003, 0.3, 0.5, 0.61, 0.95, 0.9999} {
		y := l.ppd.Quantile(p)
		score := func(x float64) float64 {
			f := l.ppd.CDF(x)
			if x >= y {
				f--
			}
			return f * f / l.scale()
		}
		split := l
		split.breaks = insert(l.breaks, y)
		want := split.integrate(score)
		if got := l.ppd.CRPS(y) / l.scale(); math.Abs(got-want) > 1e-8*(1+want) {
			t.Errorf("CRPS(%g) = %.12g, integrated %.12g, in scales", y, got, want)
		}
	}
}

// integrate sums Gauss-Legendre quadratures between the breaks and, in shrinking steps of mass,
// far into both tails.
func (l lawful) integrate(f func(float64) float64) float64 {
	points := append([]float64(nil), l.breaks...)
	for e := 3; e <= 42; e++ {
		p := math.Pow(0.5, float64(e))
		points = insert(points, l.ppd.Quantile(p))
		points = insert(points, l.ppd.Quantile(1-p))
	}
	var sum float64
	for i := 1; i < len(points); i++ {
		if a, b := points[i-1], points[i]; b > a {
			sum += quad.Fixed(f, a, b, 12, quad.Legendre{}, 0)
		}
	}
	return sum
}

// grid is a set of points from deep in one tail to deep in the other, with the breaks.
func (l lawful) grid() []float64 {
	lo, hi := l.ppd.Quantile(1e-12), l.ppd.Quantile(1-1e-12)
	points := append([]float64(nil), l.breaks...)
	for i := range 1001 {
		points = insert(points, lo+float64(i)/1000*(hi-lo))
	}
	return points
}

// scale is a typical spread, so that tolerances do not depend on units.
func (l lawful) scale() float64 { return l.ppd.Quantile(0.9) - l.ppd.Quantile(0.1) }

// atomAt returns the mass of the atom at y, within rounding.
func (l lawful) atomAt(y float64) float64 {
	for at, mass := range l.atoms {
		if math.Abs(y-at) <= 1e-12*(math.Abs(y)+l.scale()) {
			return mass
		}
	}
	return 0
}

// insert adds a point to an ascending list.
func insert(points []float64, x float64) []float64 {
	i := 0
	for i < len(points) && points[i] < x {
		i++
	}
	out := append([]float64(nil), points[:i]...)
	return append(append(out, x), points[i:]...)
}
