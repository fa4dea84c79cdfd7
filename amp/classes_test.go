//go:build !race

package amp

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distmv"
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

// Calibration: probabilities drawn from a Dirichlet prior, labels from them, the predictive
// distribution of the conjugate model, intervals from the chains with the conjugate rates. Coverage
// of the true probabilities is the level for ρ = 1 and long chains; ρ = 0.99 covers less, since a
// step moves mass between neighbouring classes.
func TestClassIntervalsAreCalibrated(t *testing.T) {
	const labels = 40
	for rho, want := range map[float64]float64{1: 0.9, 0.99: 0.825} {
		p := draw(t, Sampler{Schedule: conjugate(dirichletClasses+labels, 200), Chains: 400,
			Steps: 200, Rho: rho, Seed: 3})
		coverage, _ := dirichletStudy(t, p, labels)
		t.Logf("rho %v: coverage %.3f", rho, coverage)
		if math.Abs(coverage-want) > 0.03 {
			t.Errorf("rho %v: coverage %.3f, want %v", rho, coverage, want)
		}
	}
}

// dirichletClasses is the number of classes of dirichletStudy.
const dirichletClasses = 4

// dirichletStudy draws tables of labels whose class probabilities have a uniform prior, and
// returns the coverage and the mean width of the 90 % intervals of these probabilities.
func dirichletStudy(t *testing.T, p *RankPosterior, labels int) (coverage, width float64) {
	t.Helper()
	const tables = 400
	var summaries []*Summarizer
	for k := range dirichletClasses {
		spec := Spec{Functional: Class(k), Posterior: LimitPosterior}
		summaries = append(summaries, summarizer(t, p, spec))
	}
	random := rand.NewPCG(8, 9)
	prior := distmv.NewDirichlet([]float64{1, 1, 1, 1}, random)
	for range tables {
		truth := prior.Rand(nil)
		posterior := []float64{1, 1, 1, 1}
		label := distuv.NewCategorical(truth, random)
		for range labels {
			posterior[int(label.Rand())]++
		}
		for k := range posterior {
			posterior[k] /= float64(dirichletClasses + labels)
		}
		c, err := distr.NewClasses(posterior)
		must.Succeed(t, err)
		for k, s := range summaries {
			e := s.Row(c)
			width += (e.Hi - e.Lo) / (dirichletClasses * tables)
			if e.Lo <= truth[k] && truth[k] <= e.Hi {
				coverage += 1. / (dirichletClasses * tables)
			}
		}
	}
	return coverage, width
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
