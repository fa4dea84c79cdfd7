package amp

import (
	"math"
	"testing"

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
