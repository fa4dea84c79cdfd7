package amp

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestHLimits(t *testing.T) {
	for _, c := range []struct{ rho, u, v, want float64 }{
		{0, 0.3, 0.9, 0.3}, {0, 0.3, 0, 0.3}, {1, 0.3, 0.4, 0}, {1, 0.4, 0.4, 1}, {1, 0.5, 0.4, 1},
		{0.99, 0, 0.5, 0}, {0.99, 1, 0.5, 1}, {0.99, 0.5, 0, 1}, {0.99, 0.5, 1, 0},
		{0.99, 0, 0, 0}, {0.99, 1, 1, 1}, {0.99, 0.5, 0.5, 0.5},
		// Python: n = NormalDist(); n.cdf((n.inv_cdf(.6)-.99*n.inv_cdf(.5))/(1-.99**2)**.5)
		{0.99, 0.6, 0.5, 0.9637471745400805}, {0.5, 0.3, 0.8, 0.13754058339485714},
	} {
		if got := H(c.rho, c.u, c.v); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("H(%v, %v, %v) = %v, want %v", c.rho, c.u, c.v, got, c.want)
		}
	}
	for _, c := range [][3]float64{{-0.1, 0.5, 0.5}, {1.1, 0.5, 0.5}, {0.9, -1, 0.5}, {0.9, 0.5, 2},
		{math.NaN(), 0.5, 0.5}, {0.5, math.NaN(), 0.5}} {
		if got := H(c[0], c[1], c[2]); !math.IsNaN(got) {
			t.Errorf("H(%v) = %v, want NaN", c, got)
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

func TestHLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rho := rapid.Float64Range(0, 0.9999).Draw(t, "rho")
		u, w, v := rank(t, "u"), rank(t, "w"), rank(t, "v")
		h := H(rho, u, v)
		if !(h >= 0 && h <= 1) {
			t.Fatalf("H = %v", h)
		}
		if u < w && H(rho, w, v) < h {
			t.Fatalf("H decreases in u: %v at %v, %v at %v", h, u, H(rho, w, v), w)
		}
		if v < w && H(rho, u, w) > h {
			t.Fatalf("H increases in v")
		}
		if 1-u > 0 && 1-v > 0 && u > 1e-3 && v > 1e-3 {
			if d := math.Abs(H(rho, 1-u, 1-v) - (1 - h)); d > 1e-9 {
				t.Fatalf("H(1-u, 1-v) differs from 1 - H(u, v) by %v", d)
			}
		}
	})
}

// TestHMartingale integrates H over v, in z with the trapezoidal rule: ∫ H(u, v) dv = u.
func TestHMartingale(t *testing.T) {
	for _, rho := range []float64{0, 0.3, 0.9, 0.99} {
		for _, u := range []float64{0.001, 0.2, 0.5, 0.97} {
			const step = 0.005
			var sum float64
			for z := -8.0; z <= 8; z += step {
				v := 0.5 * math.Erfc(-z/math.Sqrt2)
				sum += step * math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) * H(rho, u, v)
			}
			if math.Abs(sum-u) > 1e-9 {
				t.Errorf("rho %v: ∫ H(%v, v) dv = %v", rho, u, sum)
			}
		}
	}
}
