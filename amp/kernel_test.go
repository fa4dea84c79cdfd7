package amp

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// bisect returns the root of increasing f = w on [0, 1] to the last bit.
func bisect(f func(float64) float64, w float64) float64 {
	lo, hi := 0.0, 1.0
	for {
		mid := (lo + hi) / 2
		if mid == lo || mid == hi {
			return mid
		}
		if f(mid) < w {
			lo = mid
		} else {
			hi = mid
		}
	}
}

// rank draws ranks over the whole unit interval, with both ends refined.
func rank(t *rapid.T, label string) float64 {
	u := math.Exp(rapid.Float64Range(-36, -0.7).Draw(t, label))
	if rapid.Bool().Draw(t, label+" upper") {
		u = 1 - u
	}
	return u
}

// conditional is H_ρ(u, v) by its definition, 1{u >= v} for ρ = 1.
func conditional(rho, u, v float64) float64 {
	if rho == 1 && u >= v {
		return 1
	}
	t := (normalQuantile(u) - rho*normalQuantile(v)) / math.Sqrt((1-rho)*(1+rho))
	return 0.5 * math.Erfc(-t/math.Sqrt2)
}

func TestKernelInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rho := rapid.OneOf(rapid.Float64Range(0, 1), rapid.Float64Range(0.9, 0.99999),
			rapid.Just(0.0), rapid.Just(1.0)).Draw(t, "rho")
		alpha := rapid.OneOf(rapid.Float64Range(0, 1), rapid.Float64Range(0.99, 1),
			rapid.Just(1.0), rapid.Just(0.0)).Draw(t, "alpha")
		v, w := rank(t, "v"), rank(t, "w")
		l := newLaw(rho)
		var k kernel
		k.set(l, alpha, v)
		k.tabulate(l)
		g := k.invert(l, w)
		if !(g >= 0 && g <= 1) {
			t.Fatalf("inverse %v", g)
		}
		// The root lies within 1e-10 of g, for T rounded to a few units in the last place of 1.
		m := func(u float64) float64 { return (1-alpha)*u + alpha*conditional(rho, u, v) }
		below, above := m(math.Max(0, g-1e-10)), m(math.Min(1, g+1e-10))
		if below > w+1e-15 || above < w-1e-15 {
			t.Fatalf("inverse %v, bisection %v; map just below %v and above %v, want %v",
				g, bisect(m, w), below, above, w)
		}
	})
}

// TestSafeguarded starts the iteration badly, in a bracket over the whole kernel.
func TestSafeguarded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := newLaw(rapid.Float64Range(0.01, 0.9999).Draw(t, "rho"))
		var k kernel
		k.set(l, rapid.Float64Range(0.01, 0.99).Draw(t, "alpha"), rank(t, "v"))
		in := [2]float64{k.centre - cut*l.width, k.centre + cut*l.width}
		z := in[0] + (in[1]-in[0])*rapid.Float64Range(-0.5, 1.5).Draw(t, "start")
		at, _ := l.at(in[0] + (in[1]-in[0])*rapid.Float64Range(0.01, 0.99).Draw(t, "root"))
		w := k.apply(l, at)
		g := k.safeguarded(l, w, z, in)
		below, above := k.apply(l, math.Max(0, g-1e-10)), k.apply(l, math.Min(1, g+1e-10))
		if below > w+1e-15 || above < w-1e-15 {
			t.Fatalf("root %v, want %v; map just below %v and above %v, want %v",
				g, at, below, above, w)
		}
	})
}
