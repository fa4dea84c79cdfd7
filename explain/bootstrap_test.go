package explain

import (
	"math"
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/pfn"
)

// Where every row is a unit the standard error is that of a mean; units of equal rows count once.
func TestUnits(t *testing.T) {
	values := []float64{1, 2, 4, 4, 5, 7, -3}
	rows, twice, groups := newUnits(7, nil), []float64{}, []int{}
	for i, v := range values {
		twice, groups = append(twice, v, v), append(groups, 5*i, 5*i)
	}
	once, again := rows.aboveZero(values), newUnits(14, groups).aboveZero(twice)
	if math.Abs(once-again) > 1e-12 || !(once > 0.9 && once < 0.99) {
		t.Errorf("above 0: %v, with every row twice %v", once, again)
	}
	if more := newUnits(14, nil).aboveZero(twice); !(more > once) {
		t.Errorf("as if rows were independent: %v", more)
	}
	if p := rows.aboveZero(make([]float64, 7)); p != 0.5 {
		t.Errorf("zeros: %v", p)
	}
	boot := newBootstrap(newUnits(14, groups), ImportanceOptions{Level: 0.9, Seed: 1}, 5)
	if w := boot.weights[3]; w[0] != w[1] || w[0] == w[2] {
		t.Errorf("weights %v", w)
	}
}

// A score of quantiles is that of the distribution: of a standard normal one at y, with the closed
// form y (2 Φ(y) - 1) + 2 φ(y) - 1/√π; of a mixture it is that of its points together.
func TestScoresOfDistributions(t *testing.T) {
	var s crpsScore
	if got := s.baseline(pfn.Training{Y: []float64{1, 3}})(5); got != 9 {
		t.Errorf("baseline %v", got)
	}
	for _, y := range []float64{-1.5, 0, 0.4, 2} {
		want := y*math.Erf(y/math.Sqrt2) + 2*math.Exp(-y*y/2)/math.Sqrt(2*math.Pi) - 1/math.Sqrt(math.Pi)
		got := s.of([]amp.PPD{gauss(0)}, []float64{1}, y)
		if math.Abs(got.mixed-want) > 5e-3 || got.single != got.mixed || math.Abs(got.spent-y*y) > 1e-9 {
			t.Errorf("at %v: %+v, want %v", y, got, want)
		}
		twice := s.of([]amp.PPD{gauss(0), gauss(0)}, []float64{0.3, 0.7}, y)
		if math.Abs(twice.mixed-got.mixed) > 1e-9 || math.Abs(twice.single-got.single) > 1e-9 {
			t.Errorf("at %v: the mixture of a distribution with itself has %+v, it %+v", y, twice, got)
		}
		apart := s.of([]amp.PPD{gauss(-1), gauss(1)}, []float64{0.5, 0.5}, y)
		if !(apart.mixed < apart.single) || math.Abs(apart.spent-y*y) > 1e-9 {
			t.Errorf("at %v: a mixture has %+v", y, apart)
		}
	}
	classes := logScore{2}
	baseline := classes.baseline(pfn.Training{Y: []float64{0, 1, 1, 1}})
	laws := []amp.PPD{distr.Classes{0.5, 0.5}, distr.Classes{0.9, 0.1}}
	got := classes.of(laws, []float64{0.5, 0.5}, 0)
	if math.Abs(got.mixed+math.Log(0.7)) > 1e-12 ||
		math.Abs(got.single+(math.Log(0.5)+math.Log(0.9))/2) > 1e-12 ||
		math.Abs(baseline(0)+math.Log(0.25)) > 1e-12 {
		t.Errorf("classes: %+v", got)
	}
}

// gauss is a normal distribution with the standard deviation 1.
type gauss float64

func (g gauss) CDF(y float64) float64      { return 0.5 * math.Erfc((float64(g)-y)/math.Sqrt2) }
func (g gauss) Quantile(p float64) float64 { return float64(g) + math.Sqrt2*math.Erfinv(2*p-1) }
func (g gauss) Mean() float64              { return float64(g) }
