package amp

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// ρ = 0: G_k is the identity and the ranks are independent uniforms.
func TestIndependence(t *testing.T) {
	p := draw(t, Sampler{Schedule: PaperSchedule{Rows: 20, Features: 5}, Rho: Independence,
		Chains: 400, Seed: 3})
	var all, second []float64
	for b := range p.Chains() {
		r := p.Ranks(b)
		all = append(all, r...)
		second = append(second, r[1])
		if g := p.G(b, 0.37); g != 0.37 {
			t.Fatalf("G(0.37) = %v", g)
		}
	}
	if pv := ksOne(all, uniformPPD{}.CDF); pv < 0.01 {
		t.Errorf("ranks are not uniform: p = %.2g", pv)
	}
	// The second order statistic of 50 has the Beta(2, 49) law only if they are independent.
	if pv := ksOne(second, distuv.Beta{Alpha: 2, Beta: 49}.CDF); pv < 0.01 {
		t.Errorf("ranks are not independent: p = %.2g", pv)
	}
}

// polya returns α_k = 1/(M+k), for which ρ = 1 makes the recursion a Pólya urn.
func polya(m float64, steps int) FixedSchedule {
	s := make(FixedSchedule, steps)
	for k := range s {
		s[k] = 1 / (m + float64(k+1))
	}
	return s
}

// ρ = 1, α_k = 1/(M+k): (M+N) G_N(u) - M u counts the draws below u, a beta-binomial number.
func TestPolyaUrnExact(t *testing.T) {
	const m, u, steps, chains = 4.0, 0.3, 12, 4000
	p := draw(t, Sampler{Schedule: polya(m, steps), Steps: steps, Rho: 1, Chains: chains, Seed: 8})
	var seen [steps + 1]float64
	for b := range chains {
		k := (m+steps)*p.G(b, u) - m*u
		if math.Abs(k-math.Round(k)) > 1e-9 {
			t.Fatalf("chain %d: count %v", b, k)
		}
		below := 0.0
		for _, r := range p.Ranks(b) {
			if r <= u {
				below++
			}
		}
		if below != math.Round(k) {
			t.Fatalf("chain %d: %v ranks below u, G_N says %v", b, below, k)
		}
		seen[int(math.Round(k))]++
	}
	lbeta := func(a, b float64) float64 {
		x, _ := math.Lgamma(a)
		y, _ := math.Lgamma(b)
		z, _ := math.Lgamma(a + b)
		return x + y - z
	}
	chi := 0.0
	for k := range seen {
		i := float64(k)
		logP := lbeta(i+m*u, steps-i+m*(1-u)) - lbeta(m*u, m*(1-u)) -
			math.Log(steps+1) - lbeta(steps-i+1, i+1)
		want := chains * math.Exp(logP)
		chi += (seen[k] - want) * (seen[k] - want) / want
	}
	if pv := (distuv.ChiSquared{K: steps}).Survival(chi); pv < 0.01 {
		t.Errorf("χ² = %.1f on %d degrees of freedom, p = %.2g", chi, steps, pv)
	}
}

// E[G_k(u)] = u for every k, and |G_N(u) - u| obeys the bound of proposition 3.3 of the paper.
func TestMartingaleAndAzuma(t *testing.T) {
	for _, c := range []struct{ d, n int }{{1, 50}, {1, 2000}, {10, 200}} {
		s := PaperSchedule{Rows: c.n, Features: c.d}
		p := draw(t, Sampler{Schedule: s, Chains: 1000, Steps: 30, Seed: 5})
		beta := PaperBeta(c.d)
		for _, u := range []float64{0.05, 0.5, 0.9} {
			for _, k := range []int{1, 10, 30} {
				x := make([]float64, p.Chains())
				mean, square := 0.0, 0.0
				for b := range x {
					x[b] = p.forward(b, k, u)
					mean += x[b] / float64(len(x))
				}
				for b := range x {
					square += (x[b] - mean) * (x[b] - mean) / float64(len(x)*len(x))
				}
				if z := (mean - u) / math.Sqrt(square); math.Abs(z) > 3.3 {
					t.Errorf("d %d, n %d: mean of G_%d(%v) is %v, z = %.1f",
						c.d, c.n, k, u, mean, z)
				}
				for _, delta := range []float64{0.5, 0.1, 0.01} {
					bound := azuma(beta, delta, c.n)
					n := len(x) - within(x, u-bound, u+bound)
					if float64(n) > delta*float64(len(x)) {
						t.Errorf("d %d, n %d: |G_%d(%v) - u| > %.3f in %d of %d chains, δ = %v",
							c.d, c.n, k, u, bound, n, len(x), delta)
					}
				}
			}
		}
	}
}

// azuma is √(2^(1+2β) log(2/δ) / (2β-1)) n^(1/2-β).
func azuma(beta, delta float64, n int) float64 {
	v := math.Pow(2, 1+2*beta) * math.Log(2/delta) / (2*beta - 1)
	return math.Sqrt(v) * math.Pow(float64(n), 0.5-beta)
}

func within(x []float64, lo, hi float64) int {
	n := 0
	for _, v := range x {
		if v >= lo && v <= hi {
			n++
		}
	}
	return n
}
