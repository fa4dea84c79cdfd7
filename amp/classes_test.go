package amp

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/distuv"
)

// With ρ = 1 and the rates of a Pólya urn the class probabilities are Dirichlet: intervals are
// those of their Beta margins.
func TestClassesAreDirichlet(t *testing.T) {
	const size = 30.0
	p := draw(t, Sampler{Schedule: LocalSchedule{Size: size}, Steps: 200, Chains: 2000, Rho: 1})
	c, err := NewClasses([]float64{0.5, 0.1, 0.4})
	if err != nil {
		t.Fatal(err)
	}
	for k, q := range c {
		s := summarizer(t, p, Spec{Functional: Class(k), Posterior: Limit})
		e := s.Row(c)
		beta := distuv.Beta{Alpha: size * q, Beta: size * (1 - q)}
		lo, hi := beta.Quantile(0.05), beta.Quantile(0.95)
		if math.Abs(e.Lo-lo) > 0.02 || math.Abs(e.Hi-hi) > 0.02 || math.Abs(e.Point-q) > 1e-12 {
			t.Errorf("class %d: %.3f in [%.3f, %.3f], Beta limits [%.3f, %.3f]",
				k, e.Point, e.Lo, e.Hi, lo, hi)
		}
	}
}

// Calibration: probabilities drawn from a Dirichlet prior, labels from them, the predictive
// distribution of the conjugate model, intervals from the chains with the conjugate rates. Coverage
// of the true probabilities is the level for ρ = 1 and long chains; ρ = 0.99 covers less, since a
// step moves mass between neighbouring classes.
func TestClassIntervalsAreCalibrated(t *testing.T) {
	const classes, labels, tables = 4, 40, 400
	for rho, want := range map[float64]float64{1: 0.9, 0.99: 0.825} {
		p := draw(t, Sampler{Schedule: LocalSchedule{Size: classes + labels}, Chains: 400,
			Steps: 200, Rho: rho, Seed: 3})
		var summaries []*Summarizer
		for k := range classes {
			summaries = append(summaries,
				summarizer(t, p, Spec{Functional: Class(k), Posterior: Limit}))
		}
		random := rand.NewPCG(8, 9)
		prior := distmv.NewDirichlet([]float64{1, 1, 1, 1}, random)
		held := 0
		for range tables {
			truth := prior.Rand(nil)
			posterior := []float64{1, 1, 1, 1}
			label := distuv.NewCategorical(truth, random)
			for range labels {
				posterior[int(label.Rand())]++
			}
			for k := range posterior {
				posterior[k] /= classes + labels
			}
			c, err := NewClasses(posterior)
			if err != nil {
				t.Fatal(err)
			}
			for k, s := range summaries {
				if e := s.Row(c); e.Lo <= truth[k] && truth[k] <= e.Hi {
					held++
				}
			}
		}
		coverage := float64(held) / (classes * tables)
		t.Logf("rho %v: coverage %.3f", rho, coverage)
		if math.Abs(coverage-want) > 0.03 {
			t.Errorf("rho %v: coverage %.3f, want %v", rho, coverage, want)
		}
	}
}

func TestClassesRefuse(t *testing.T) {
	for _, p := range [][]float64{nil, {0.5, 0.4}, {1.2, -0.2}, {math.NaN(), 1}} {
		if _, err := NewClasses(p); err == nil {
			t.Errorf("%v was accepted", p)
		}
	}
	c, err := NewClasses([]float64{0.3, 0.7004})
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
