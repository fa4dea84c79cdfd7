package amp

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

// median is a model's own posterior of the median, N(mu, 1), that knows nothing else.
type median struct{ mu float64 }

func (m median) Of(f Functional) Marginal {
	if f != (Quantile{Level: 0.5}) {
		return nil
	}
	return normalPPD{m.mu, 1}
}

// prepared is a summary that cannot fail.
func prepared(t *testing.T, m Method, spec Spec) Summary {
	t.Helper()
	s, err := m.Prepare(t.Context(), Shape{Rows: 100, Features: 3}, spec)
	must.Succeed(t, err)
	return s
}

// methods are those of the package, with few chains.
func methods() []Method {
	ranks := &Ranks{Sampler: Sampler{Chains: 200, Seed: 3}}
	return []Method{
		Chains{PaperPosterior, ranks}, Chains{LimitPosterior, ranks}, Direct{},
	}
}

// foreign is a functional that the package does not know, which passes for the mean.
type foreign struct{ Mean }

func (foreign) String() string { return "mode" }

// No method takes a functional that it does not know for another one.
func TestMethodsRefuseForeignFunctionals(t *testing.T) {
	for _, m := range methods() {
		s, err := m.Prepare(t.Context(), Shape{100, 3}, Spec{Functional: foreign{}})
		var unknown *FunctionalError
		switch {
		case errors.As(err, &unknown):
		case err != nil:
			t.Errorf("%s: %v", m.Name(), err)
		case m.Answers(Prediction{PPD: normalPPD{0, 1}, Own: median{}}, foreign{}) ||
			!math.IsNaN(s.Estimate(Prediction{PPD: normalPPD{0, 1}, Own: median{}}).Lo):
			t.Errorf("%s answers for a functional that it does not know", m.Name())
		}
	}
}

// Every method follows affine changes of the label, keeps draws under coupling, and gives the same
// whatever the workers.
func TestMethodsObeyTheLaws(t *testing.T) {
	at := func(shift float64) Prediction {
		return Prediction{PPD: normalPPD{shift, 2}, Own: median{shift}}
	}
	ranks := []int{}
	for i := range 200 {
		ranks = append(ranks, (i*77)%200)
	}
	for _, m := range methods() {
		for _, kind := range []IntervalKind{EqualTailed, HighestDensity} {
			s := prepared(t, m, Spec{Functional: Quantile{Level: 0.5}, Level: 0.8, Interval: kind})
			a, b := s.Estimate(at(0)), s.Estimate(at(10))
			if !(a.Lo < a.Hi) || math.Abs(b.Lo-a.Lo-10) > 1e-6 || math.Abs(b.Hi-a.Hi-10) > 1e-6 {
				t.Errorf("%s: %+v becomes %+v", m.Name(), a, b)
			}
			draws := s.Coupled(at(0), ranks)
			sorted := slices.Sorted(slices.Values(draws))
			for i, rank := range ranks {
				if draws[i] != sorted[rank] {
					t.Fatalf("%s: draw %d has another rank", m.Name(), i)
				}
			}
			rows := []Prediction{at(0), at(10), at(0)}
			one, many := make([]Estimate, 3), make([]Estimate, 3)
			for workers, dst := range map[int][]Estimate{1: one, 3: many} {
				must.Succeed(t, Estimates(t.Context(), s, dst, rows, workers))
			}
			if one[2].Lo != many[2].Lo || one[0].Hi != a.Hi || many[1].Hi != b.Hi {
				t.Errorf("%s: %+v beside %+v", m.Name(), one, many)
			}
		}
	}
}

// The direct method reads quantiles; the shortest interval of a normal posterior is the central
// one, found by the grid.
func TestDirectReadsQuantiles(t *testing.T) {
	p := Prediction{PPD: normalPPD{0, 2}, Own: median{1}}
	f := Quantile{Level: 0.5}
	e := prepared(t, Direct{}, Spec{Functional: f}).Estimate(p)
	h := prepared(t, Direct{}, Spec{Functional: f, Interval: HighestDensity}).Estimate(p)
	want := Estimate{Point: 0, Lo: 1 + normalQuantile(0.05), Hi: 1 + normalQuantile(0.95)}
	for _, got := range []Estimate{e, h} {
		if math.Abs(got.Lo-want.Lo) > 1e-2 || math.Abs(got.Hi-want.Hi) > 1e-2 ||
			got.Point != want.Point {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if _, err := (Direct{}).Prepare(t.Context(), Shape{}, Spec{Errors: true}); err == nil {
		t.Error("Monte-Carlo errors of a posterior without draws")
	}
}

// Methods that share ranks share chains, which are drawn once for a context.
func TestRanksAreDrawnOnce(t *testing.T) {
	ranks := &Ranks{Sampler: Sampler{Chains: 20, Seed: 1}}
	a, err := ranks.Posterior(t.Context(), Shape{50, 2})
	must.Succeed(t, err)
	b, _ := ranks.Posterior(t.Context(), Shape{50, 2})
	c, _ := ranks.Posterior(t.Context(), Shape{60, 2})
	if a != b || a == c || a.rates[0] == c.rates[0] {
		t.Error("chains belong to a context and are drawn once")
	}
	cancelled, stop := context.WithCancel(t.Context())
	stop()
	if _, err := ranks.Posterior(cancelled, Shape{70, 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := ranks.Posterior(t.Context(), Shape{70, 2}); err != nil {
		t.Errorf("after a cancellation: %v", err)
	}
}
