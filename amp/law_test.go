package amp

import (
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
