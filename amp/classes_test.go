//go:build !race

package amp

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/internal/must"
)

// With ρ = 1 and the rates of a Pólya urn the class probabilities are Dirichlet: intervals are
// those of their Beta margins.
func TestClassesAreDirichlet(t *testing.T) {
	const size = 30.0
	p := draw(t, Sampler{Schedule: conjugate(size, 200), Steps: 200, Chains: 2000, Rho: 1})
	c, err := distr.NewClasses([]float64{0.5, 0.1, 0.4})
	must.Succeed(t, err)
	for k, q := range c {
		s := summarizer(t, p, Spec{Functional: Class(k), Posterior: LimitPosterior})
		e := s.Row(c)
		beta := distuv.Beta{Alpha: size * q, Beta: size * (1 - q)}
		lo, hi := beta.Quantile(0.05), beta.Quantile(0.95)
		if math.Abs(e.Lo-lo) > 0.02 || math.Abs(e.Hi-hi) > 0.02 || math.Abs(e.Point-q) > 1e-12 {
			t.Errorf("class %d: %.3f in [%.3f, %.3f], Beta limits [%.3f, %.3f]",
				k, e.Point, e.Lo, e.Hi, lo, hi)
		}
	}
}

func TestClassesRefuse(t *testing.T) {
	for _, p := range [][]float64{nil, {0.5, 0.4}, {1.2, -0.2}, {math.NaN(), 1}} {
		if _, err := distr.NewClasses(p); err == nil {
			t.Errorf("%v was accepted", p)
		}
	}
	c, err := distr.NewClasses([]float64{0.3, 0.7004})
	if err != nil || c.CDF(0.9) >= 0.3 || c.CDF(1) != 1 || c.CDF(-1) != 0 {
		t.Errorf("%v, %v", c, err)
	}
	if c.Quantile(0.2) != 0 || c.Quantile(0.5) != 1 || c.Quantile(0.9999999999) != 1 {
		t.Errorf("quantiles of %v", c)
	}
	if math.Abs(c.Mean()-c[1]) > 1e-15 {
		t.Errorf("mean %v", c.Mean())
	}
}
