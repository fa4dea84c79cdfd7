package pfnamp

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// folded scores a crude interval, the central quantiles of the labels of the other folds, as
// newConformal scores that of a network, and returns the interval of a query.
func folded(y []float64, level float64, folds int, shrink float64, seed uint64) Interval {
	n := len(y)
	c := Conformal{level: level, folds: foldsOf(seed, n, folds), scores: make([]float64, n)}
	central := make([]Interval, folds)
	for k := range folds {
		var others []float64
		for i, fold := range c.folds {
			if fold != k {
				others = append(others, y[i])
			}
		}
		slices.Sort(others)
		tail := (1 - level) / 2
		at := func(p float64) float64 { return others[int(p*float64(len(others)-1))] }
		central[k] = Interval{shrink * at(tail), shrink * at(1-tail)}
		for i, fold := range c.folds {
			if fold == k {
				c.scores[i] = max(central[k].Lo-y[i], y[i]-central[k].Hi)
			}
		}
	}
	return c.combine(central)
}

// Intervals that are far too narrow, or too wide, come to hold a label about as often as the level
// says, whatever its distribution.
func TestConformalCoverage(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for name, draw := range map[string]func() float64{
		"normal": random.NormFloat64, "cauchy": func() float64 { return math.Tan(math.Pi * (random.Float64() - 0.5)) },
		"skewed": random.ExpFloat64,
	} {
		for _, shrink := range []float64{0.2, 1, 5} {
			for _, n := range []int{12, 60} {
				const repeats = 3000
				held := 0
				for r := range repeats {
					y := make([]float64, n)
					for i := range y {
						y[i] = draw()
					}
					in, label := folded(y, 0.9, min(DefaultFolds, n), shrink, uint64(r)), draw()
					if in.Lo > in.Hi {
						t.Fatalf("%+v", in)
					}
					if in.Lo <= label && label <= in.Hi {
						held++
					}
				}
				// The promise is guarantee(...); what CV+ does in practice is the level or a little more.
				t.Logf("%s, n = %d, width x %v: %.3f", name, n, shrink, float64(held)/repeats)
				if got := float64(held) / repeats; got < 0.885 || got > 0.97 {
					t.Errorf("%s, n = %d, width x %v: %.3f of the labels inside", name, n, shrink, got)
				}
			}
		}
	}
}

// The bound of Barber and others, and the least rows of a level.
func TestConformalPromise(t *testing.T) {
	for want, got := range map[float64]float64{
		1 - 0.2 - 0.9/11: guarantee(0.9, 100, 10),
		1 - 0.2:          guarantee(0.9, 50, 50), // the jackknife+
		0:                guarantee(0.4, 50, 10),
	} {
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("guarantee %v, want %v", got, want)
		}
	}
	for level, least := range map[float64]int{0.9: 9, 0.95: 19, 0.99: 99, 0.5: 4} {
		if got := leastRows(level); got != least {
			t.Errorf("level %v needs %d rows, got %d", level, least, got)
		}
	}
	sizes := map[int]int{}
	for _, k := range foldsOf(3, 23, 10) {
		sizes[k]++
	}
	for k, size := range sizes {
		if size < 2 || size > 3 || k >= 10 {
			t.Errorf("fold %d has %d rows", k, size)
		}
	}
}

// The tiniest level has an interval.
func TestConformalOfATinyLevel(t *testing.T) {
	y := []float64{5, 3, 1, 2, 4, 8, 7, 6}
	if in := folded(y, 1e-12, 4, 1, 1); !(in.Lo <= in.Hi) {
		t.Errorf("%+v", in)
	}
}

// Conformal intervals of a network: other predictive intervals, the same credible ones; refused
// with few rows and of a state.
func TestConformalOfANetwork(t *testing.T) {
	f := fit(t, opened(t, ""), FitOptions{Target: "y", Ignore: []string{"kind"}})
	plain := ask(t, prepare(t, f, Question{Chains: 20, Seed: 3}), flats(8))
	p := prepare(t, f, Question{Chains: 20, Predictive: ConformalInterval, Seed: 3})
	defer p.Close()
	a := ask(t, p, flats(8))
	if a.Posteriors[0].Estimates[0][0].Lo != plain.Posteriors[0].Estimates[0][0].Lo || a.Predictive[0] == plain.Predictive[0] {
		t.Errorf("%+v beside %+v", a.Predictive[0], plain.Predictive[0])
	}
	c := p.Conformal()
	if c.Folds() != DefaultFolds || c.Guarantee() < 0.6 || c.Guarantee() > 0.8 {
		t.Errorf("%d folds, %v", c.Folds(), c.Guarantee())
	}
	for i, row := range flats(8) {
		if in := a.Predictive[i]; !(in.Lo <= in.Hi) || in.Hi-in.Lo > 400 {
			t.Errorf("row %v: %+v", row, in)
		}
	}
	_, err := f.Prepare(t.Context(), Question{Predictive: ConformalInterval, Level: 0.99})
	if small, ok := errors.AsType[*SmallTableError](err); !ok || small.Least != 99 || small.Rows != 60 {
		t.Errorf("level 0.99: %v", err)
	}
	f.table.X.Rows = 0
	if _, err := f.Prepare(t.Context(), Question{Predictive: ConformalInterval}); !errors.Is(err, ErrNoTable) {
		t.Errorf("a state: %v", err)
	}
	if _, err := f.Prepare(t.Context(), Question{Predictive: "sure"}); err == nil {
		t.Error("an unknown kind of interval")
	}
}
