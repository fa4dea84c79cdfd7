package amp

import (
	"math"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/distr"
)

// mixedNormals mixes what is known of two normal distributions, so many draws having told the
// weights.
func mixedNormals(first, second *Surface, draws float64) *Surface {
	weights := []float64{0.5, 0.5}
	label := Mixture[PPD]{[]PPD{first.Label, second.Label}, weights}
	return MixSurfaces([]*Surface{first, second}, weights, label, draws)
}

// A surface mixed with itself is itself, whatever told the weights.
func TestMixedWithItself(t *testing.T) {
	s := normalSurface(3, 2, 0.7)
	s.Scale = 0.9
	m := mixedNormals(s, s, 5)
	if m.Scale != 0.9 {
		t.Errorf("scale %v", m.Scale)
	}
	for k, row := range m.Quantiles {
		for j, got := range row {
			if math.Abs(got-s.Quantiles[k][j]) > 1e-5 {
				t.Fatalf("Q(%v) at %v: %v, want %v", m.Levels[k], m.PosteriorLevels[j], got, s.Quantiles[k][j])
			}
		}
	}
	for j, got := range m.Mean {
		if math.Abs(got-s.Mean[j]) > 1e-12 {
			t.Errorf("mean at %v: %v, want %v", m.PosteriorLevels[j], got, s.Mean[j])
		}
	}
}

// The mean of a mixture is the mean of the means; half of their distance, told by few draws, widens
// it.
func TestMeanOfAMixture(t *testing.T) {
	const spread, apart, draws = 0.5, 2.0, 10
	sure := mixedNormals(normalSurface(0, 1, spread), normalSurface(2*apart, 1, spread), math.Inf(1))
	few := mixedNormals(normalSurface(0, 1, spread), normalSurface(2*apart, 1, spread), draws)
	for j, tau := range sure.PosteriorLevels {
		z := normalQuantile(tau)
		if want := apart + spread*z; math.Abs(sure.Mean[j]-want) > 1e-12 {
			t.Errorf("mean at %v: %v, want %v", tau, sure.Mean[j], want)
		}
		if want := apart +
			z*math.Sqrt(spread*spread+apart*apart/draws); math.Abs(few.Mean[j]-want) > 1e-12 {
			t.Errorf("mean of few draws at %v: %v, want %v", tau, few.Mean[j], want)
		}
	}
}

// With both distributions known up to a common shift, quantiles of the mixture are known up to it.
func TestQuantilesOfAMixture(t *testing.T) {
	const spread = 0.5
	s := mixedNormals(normalSurface(0, 1, spread), normalSurface(3, 1, spread), math.Inf(1))
	known := Mixture[PPD]{[]PPD{normalPPD{0, 1}, normalPPD{3, 1}}, []float64{0.5, 0.5}}
	for k, u := range s.Levels {
		for j, tau := range s.PosteriorLevels {
			want := known.Quantile(u) + spread*normalQuantile(tau)
			if got := s.Quantiles[k][j]; math.Abs(got-want) > 0.06 { // tails beyond the levels shrink
				t.Errorf("Q(%v) at %v: %v, want %v", u, tau, got, want)
			}
		}
	}
}

// A mixture keeps the law that its parts keep: the label is as uncertain as quantiles are.
func TestMixturesAreCoherent(t *testing.T) {
	for _, draws := range []float64{20, math.Inf(1)} {
		for _, apart := range []float64{0, 1, 5} {
			s := mixedNormals(normalSurface(0, 1, 0.5), normalSurface(apart, 0.5, 0.8), draws)
			for k, u := range s.Levels {
				if !slices.IsSorted(s.Quantiles[k]) {
					t.Fatalf("Q(%v) %v", u, s.Quantiles[k])
				}
				for j, tau := range s.PosteriorLevels {
					p := s.Label.CDF(s.Quantiles[k][j])
					if p < tau*u-0.005 || p > u+tau*(1-u)+0.005 {
						t.Errorf("%v draws, %v apart: P(Q_%v(%v)) = %v", draws, apart, tau, u, p)
					}
				}
			}
			if off := s.Inconsistency(); off > 0.03 {
				t.Errorf("%v draws, %v apart: inconsistent by %v", draws, apart, off)
			}
		}
	}
}

// Posteriors of class probabilities are averaged, and their means with them.
func TestMixedClassPosteriors(t *testing.T) {
	levels := []float64{0.1, 0.5, 0.9}
	parts := []*ClassPosterior{
		{ClassPosterior: distr.ClassPosterior{Levels: levels,
			Quantiles: [][]float64{{0.1, 0.2, 0.3}, {0.7, 0.8, 0.9}}}},
		{ClassPosterior: distr.ClassPosterior{Levels: levels,
			Quantiles: [][]float64{{0.5, 0.6, 0.7}, {0.3, 0.4, 0.5}}}},
	}
	weights := []float64{0.25, 0.75}
	sure := MixClassPosteriors(parts, weights, math.Inf(1))
	for j, want := range []float64{0.4, 0.5, 0.6} {
		if got := sure.Quantiles[0][j]; math.Abs(got-want) > 1e-12 {
			t.Errorf("class 0 at %v: %v, want %v", levels[j], got, want)
		}
	}
	few := MixClassPosteriors(parts, weights, 4)
	variance := 0.25 * 0.75 * 0.4 * 0.4 / 4
	want := 0.5 + math.Hypot(0.1, normalQuantile(0.9)*math.Sqrt(variance))
	if got := few.Quantiles[0][2]; math.Abs(got-want) > 1e-12 {
		t.Errorf("class 0 of few draws: %v, want %v", got, want)
	}
	if least := MixClassPosteriors(parts, weights, 0.1).Quantiles[0][0]; least != 0 {
		t.Errorf("a probability of %v", least)
	}
}
