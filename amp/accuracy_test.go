//go:build !race

// How accurate chains are, on many of them: arithmetic that several goroutines do not share, and
// that the race detector makes ten times slower. `make test` runs these tests without it.

package amp

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/pfnamp/pfnamp/distr"
)

// TestMonteCarloErrors compares the standard errors with the spread of the limits over repeated
// simulations. Short chains make it cheap; what is tested does not depend on their length.
func TestMonteCarloErrors(t *testing.T) {
	const repeats, chains = 120, 250
	for _, c := range []struct {
		f      Functional
		kind   IntervalKind
		factor float64 // by which the mean estimate may be off
	}{
		{Quantile{0.5}, EqualTailed, 1.25}, {Quantile{0.8}, EqualTailed, 1.25},
		{Mean{}, EqualTailed, 1.25},
		{Quantile{0.5}, HighestDensity, 1.6}, {Mean{}, HighestDensity, 1.6},
	} {
		var lo, hi, loSE, hiSE []float64
		for i := range repeats {
			schedule := PaperSchedule{Rows: 50, Features: 2}
			p := draw(t, Sampler{Schedule: schedule, Steps: 8, Chains: chains, Seed: uint64(i)})
			s := summarizer(t, p, Spec{Functional: c.f, Interval: c.kind, Errors: true})
			e := s.Row(normalPPD{0, 1})
			lo, hi = append(lo, e.Lo), append(hi, e.Hi)
			loSE, hiSE = append(loSE, e.LoSE), append(hiSE, e.HiSE)
		}
		for _, side := range []struct {
			name        string
			limits, ses []float64
		}{{"lower", lo, loSE}, {"upper", hi, hiSE}} {
			mean := stat.Mean(side.ses, nil)
			ratio := mean / deviation(side.limits)
			t.Logf("%v, %v, %s limit: estimate / truth = %.2f", c.f, c.kind, side.name, ratio)
			if ratio > c.factor || ratio < 1/c.factor {
				t.Errorf("%v, %v, %s limit: estimated standard error %.4f, true one %.4f",
					c.f, c.kind, side.name, mean, deviation(side.limits))
			}
		}
	}
}

// Intervals of classes do not depend on how the classes are ordered, beyond Monte-Carlo error, and
// not at all on the workers.
func TestClassIntervalsIgnoreTheOrder(t *testing.T) {
	probabilities := []float64{0.45, 0.05, 0.3, 0.2}
	orders := [][]int{{0, 1, 2, 3}, {3, 1, 0, 2}, {2, 0, 3, 1}}
	var first [4]Estimate
	for i, order := range orders {
		p := draw(t, Sampler{Schedule: PaperSchedule{Rows: 60, Features: 5}, Chains: 6000, Rho: 1,
			Workers: i + 1})
		c := make(distr.Classes, 4)
		for k, from := range order {
			c[k] = probabilities[from]
		}
		for k, from := range order {
			e := summarizer(t, p, Spec{Functional: Class(k), Posterior: LimitPosterior}).Row(c)
			if i == 0 {
				first[from] = e
			}
			if math.Abs(e.Lo-first[from].Lo) > 0.025 || math.Abs(e.Hi-first[from].Hi) > 0.025 {
				t.Errorf("order %v, class %d: [%v, %v], first [%v, %v]", order, from, e.Lo, e.Hi,
					first[from].Lo, first[from].Hi)
			}
		}
	}
}
