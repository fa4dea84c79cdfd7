package amp

import (
	"math"
	"testing"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/internal/must"
)

// The urns are G_N of the chains: compared with the composition of all steps between the atoms,
// whatever the rates, and with the ranks of the forward samples.
func TestUrnsAreTheChains(t *testing.T) {
	for name, rates := range map[string]Schedule{
		"paper": PaperSchedule{Rows: 30, Features: 4}, "conjugate": conjugate(8, 30),
		"none": FixedSchedule(make([]float64, 30)),
		"one":  FixedSchedule(append([]float64{0.3, 0.2, 1}, make([]float64, 27)...)),
	} {
		p := draw(t, Sampler{Schedule: rates, Steps: 30, Chains: 40, Rho: 1, Seed: 5})
		u, err := p.urns(t.Context())
		must.Succeed(t, err)
		counts := make([]uint16, p.Chains())
		for i := range 500 {
			at := math.Mod(float64(i)*0.618, 1)
			u.atoms.pooled().count(counts, at)
			for b := range p.Chains() {
				if got, want := u.g(b, int(counts[b]), at), p.G(b, at); math.Abs(got-want) > 1e-12 {
					t.Fatalf("%s, chain %d: G(%v) = %v, want %v", name, b, at, got, want)
				}
			}
		}
		for b := range p.Chains() {
			for i, rank := range p.Ranks(b) {
				if math.Abs(rank-u.atoms.row(b)[i]) > 1e-9 {
					t.Fatalf("%s, chain %d: atom %v, rank %v", name, b, u.atoms.row(b)[i], rank)
				}
			}
		}
	}
}

// Draws of all classes of a row have the sum 1 in every chain, and a class of small probability
// between others keeps it on average: nothing is interpolated.
func TestClassDrawsSumToOne(t *testing.T) {
	p := draw(t, Sampler{Schedule: PaperSchedule{Rows: 100, Features: 3}, Chains: 4000, Rho: 1})
	c, err := distr.NewClasses([]float64{0.4, 0.002, 0.5, 0, 0.098})
	must.Succeed(t, err)
	sums := make([]float64, p.Chains())
	for k, want := range c {
		draws := summarizer(t, p, Spec{Functional: Class(k), Posterior: LimitPosterior}).Draws(nil, c)
		mean, square := 0.0, 0.0
		for b, v := range draws {
			sums[b] += v
			mean += v / float64(len(draws))
			square += v * v / float64(len(draws))
		}
		se := math.Sqrt((square - mean*mean) / float64(len(draws)))
		if math.Abs(mean-want) > 4*se+1e-15 {
			t.Errorf("class %d: mean %v ± %v of the draws, probability %v", k, mean, se, want)
		}
	}
	for b, sum := range sums {
		if math.Abs(sum-1) > 1e-12 {
			t.Fatalf("chain %d: sum %v", b, sum)
		}
	}
}
