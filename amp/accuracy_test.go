//go:build !race

// How accurate chains are, on many of them: arithmetic that several goroutines do not share, and
// that the race detector makes ten times slower. `make test` runs these tests without it.

package amp

import (
	"math"
	"testing"

	"github.com/pfnamp/pfnamp/distr"
)

// TestReference compares the central 90 % of the posterior in rank space with values computed by
// an independent NumPy prototype (3,000 chains). The tolerance of 0.015, besides our own error,
// allows for its Monte-Carlo error of about 0.01.
func TestReference(t *testing.T) {
	for _, c := range []struct {
		d, n int
		want [8]float64 // median paper, median limit, 0.9 quantile paper, 0.9 quantile limit
	}{
		{1, 50, [8]float64{0.190, 0.784, 0.186, 0.813, 0.594, 0.982, 0.601, 0.984}},
		{1, 200, [8]float64{0.276, 0.703, 0.300, 0.695, 0.706, 0.978, 0.749, 0.979}},
		{1, 800, [8]float64{0.318, 0.660, 0.385, 0.617, 0.748, 0.965, 0.821, 0.955}},
		{1, 5000, [8]float64{0.356, 0.634, 0.446, 0.557, 0.777, 0.958, 0.866, 0.931}},
		{5, 200, [8]float64{0.112, 0.876, 0.070, 0.927, 0.441, 0.982, 0.280, 0.979}},
		{10, 50, [8]float64{0.049, 0.955, 0.049, 0.959, 0.118, 0.973, 0.054, 0.966}},
		{10, 200, [8]float64{0.060, 0.938, 0.056, 0.948, 0.214, 0.973, 0.078, 0.965}},
		{10, 800, [8]float64{0.071, 0.922, 0.057, 0.947, 0.301, 0.980, 0.120, 0.973}},
		{20, 200, [8]float64{0.046, 0.949, 0.046, 0.950, 0.072, 0.958, 0.047, 0.950}},
	} {
		schedule := PaperSchedule{Rows: c.n, Features: c.d}
		p := draw(t, Sampler{Schedule: schedule, Chains: 2000, Seed: 1})
		i := 0
		for _, level := range []float64{0.5, 0.9} {
			for _, kind := range []PosteriorKind{Paper, Limit} {
				spec := Spec{Functional: Quantile{level}, Posterior: kind, Errors: true}
				e := summarizer(t, p, spec).Row(uniformPPD{})
				for j, got := range []float64{e.Lo, e.Hi} {
					se := []float64{e.LoSE, e.HiSE}[j]
					if math.Abs(got-c.want[i]) > math.Min(0.035, 0.015+2*se) {
						t.Errorf("d %d, n %d, %v %v: limit %.3f, want %.3f, Monte-Carlo error %.4f",
							c.d, c.n, kind, spec.Functional, got, c.want[i], se)
					}
					i++
				}
			}
		}
	}
}

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
			mean := 0.0
			for _, v := range side.ses {
				mean += v / repeats
			}
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
			e := summarizer(t, p, Spec{Functional: Class(k), Posterior: Limit}).Row(c)
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
