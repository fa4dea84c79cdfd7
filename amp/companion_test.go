package amp

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp/distr"
)

// saidNormal is the prediction of a companion that knows a normal label so well.
func saidNormal(mu, sd, spread float64) Prediction {
	s := normalSurface(mu, sd, spread)
	return Prediction{PPD: s.Label, Own: s}
}

// Where the two networks agree, the posterior is the companion's, in any unit.
func TestAccompanyAgreeing(t *testing.T) {
	known := saidNormal(3, 1, 0.5)
	for _, unit := range []float64{1, 1000} {
		said := saidNormal(3*unit, unit, 0.5*unit)
		ppd := normalPPD{3 * unit, unit * math.Hypot(1, 0.5)}
		own := Accompany(ppd, said)
		for _, f := range []Functional{Mean{}, Quantile{0.5}, Quantile{0.9}} {
			got, want := own.Of(f), known.Own.Of(f)
			for _, tau := range []float64{0.05, 0.5, 0.95} {
				at := unit * want.Quantile(tau)
				if math.Abs(got.Quantile(tau)-at) > 1e-6*unit {
					t.Errorf("%v: quantile %v is %v, want %v", f, tau, got.Quantile(tau), at)
				}
			}
			if pointOf(got) != nil {
				t.Errorf("%v has a point of its own", f)
			}
		}
	}
}

// The interval lies where the network's prediction lies, and is wider where the two disagree.
func TestAccompanyDisagreeing(t *testing.T) {
	said := saidNormal(0, 1, 0.5)
	sd := math.Hypot(1, 0.5)
	for _, gap := range []float64{0, 0.5, -0.5, 2} {
		own := Accompany(normalPPD{gap, sd}, said).(*Surface)
		mean := own.Of(Mean{})
		want := math.Hypot(0.5, gap/2)
		lo, hi := mean.Quantile(0.05), mean.Quantile(0.95)
		if d := (hi - lo) / 2 / normalQuantile(0.95); math.Abs(d-want) > 1e-6 ||
			math.Abs((hi+lo)/2-gap*3/4) > 1e-6 {
			t.Errorf("gap %v: [%v, %v], deviation %v, want %v", gap, lo, hi, d, want)
		}
		for k, u := range own.Levels {
			for j := range own.PosteriorLevels {
				tau := own.calibrated(j)
				if p := own.Label.CDF(own.Quantiles[k][j]); p < tau*u-1e-9 || p > u+tau*(1-u)+1e-9 {
					t.Errorf("gap %v: the law is broken at u = %v, τ = %v: %v", gap, u, tau, p)
				}
			}
		}
		if own.Inconsistency() > 0.05+math.Abs(gap)/10 {
			t.Errorf("gap %v: label and posterior differ by %v", gap, own.Inconsistency())
		}
	}
}

// Whatever the label's distribution and the companion say, the surface is finite and ascends.
func TestAccompanyExtremes(t *testing.T) {
	for _, ppd := range []PPD{normalPPD{1e9, 1}, normalPPD{0, 1e-12}, normalPPD{-40, 1e6},
		normalPPD{1e300, 1e300}} {
		said := saidNormal(0, 1, 0.5)
		if ppd.Mean() == 1e300 {
			said = saidNormal(-1e300, 1e300, 1e299)
		}
		s := Accompany(ppd, said).(*Surface)
		for _, row := range append(slices.Clone(s.Quantiles), s.Mean) {
			if !slices.IsSorted(row) || math.IsInf(row[0], 0) || math.IsInf(row[len(row)-1], 0) {
				t.Errorf("%v: %v", ppd, row)
			}
		}
	}
	if Accompany(normalPPD{0, 1}, Prediction{PPD: normalPPD{0, 1}}) != nil {
		t.Error("a companion without a posterior has said one")
	}
}

// The mean of a class's posterior is its probability, and disagreement widens it.
func TestAccompanyClasses(t *testing.T) {
	levels := []float64{0.05, 0.25, 0.5, 0.75, 0.95}
	theirs := distr.Classes{0.3, 0.7}
	offsets := [][]float64{{-1, -0.4, 0, 0.4, 1}, {-1, -0.4, 0, 0.4, 1}}
	said := Prediction{PPD: theirs,
		Own: &ClassPosterior{ClassPosterior: *distr.Anchored(levels, offsets, theirs)}}
	narrow := 0.0
	for _, p := range []float64{0.3, 0.5, 0.9, 0, 1} {
		own := Accompany(distr.Classes{p, 1 - p}, said).(*ClassPosterior)
		for k, want := range []float64{p, 1 - p} {
			got := floats.Dot(distr.LevelWeights(own.Levels), own.Quantiles[k])
			if math.Abs(got-want) > 1e-9 {
				t.Errorf("the mean is %v, want %v", got, want)
			}
		}
		row := own.Quantiles[0]
		for j, q := range own.Quantiles[1] {
			if sum := q + row[len(row)-1-j]; math.Abs(sum-1) > 1e-12 {
				t.Errorf("two classes sum to %v", sum)
			}
		}
		wide := distr.LogOdds(row[4]) - distr.LogOdds(row[0])
		if p == 0.3 {
			narrow = wide
			if math.Abs(wide-2) > 1e-6 {
				t.Errorf("log odds are %v wide, want 2", wide)
			}
		} else if p > 0 && p < 1 && wide <= narrow {
			t.Errorf("p = %v: log odds are %v wide, no more than %v", p, wide, narrow)
		}
	}
}
