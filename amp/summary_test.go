package amp

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/pfnamp/pfnamp/internal/must"
)

func posteriorOf(tb testing.TB, d, n, chains int) *RankPosterior {
	return draw(tb, Sampler{Schedule: PaperSchedule{Rows: n, Features: d}, Chains: chains, Seed: 7})
}

// TestRowIsRuleOfDraws: the shortcuts of a row agree with the rule applied to all draws.
func TestRowIsRuleOfDraws(t *testing.T) {
	p := posteriorOf(t, 2, 80, 500)
	for _, spec := range everySpec() {
		s := summarizer(t, p, spec)
		for _, ppd := range []PPD{
			normalPPD{0.2, 0.7}, uniformPPD{}, pointPPD(0.3), knotsOf(99, math.Sqrt),
		} {
			got, want := s.Row(ppd), s.rule.of(s.Draws(nil, ppd))
			if got.Lo != want.lo || got.Hi != want.hi {
				t.Errorf("%+v, %T: row [%v, %v], draws [%v, %v]",
					spec, ppd, got.Lo, got.Hi, want.lo, want.hi)
			}
			if spec.Errors && (got.LoSE != want.loSE || got.HiSE != want.hiSE) {
				t.Errorf("%+v, %T: errors %v, %v, of draws %v, %v",
					spec, ppd, got.LoSE, got.HiSE, want.loSE, want.hiSE)
			}
		}
	}
}

// TestPaperDraws compares the draws with the functional of each chain's forward samples.
func TestPaperDraws(t *testing.T) {
	p := posteriorOf(t, 10, 200, 300)
	ppd := normalPPD{3, 2}
	draws := func(f Functional) []float64 {
		d := summarizer(t, p, Spec{Functional: f}).Draws(nil, ppd)
		slices.Sort(d)
		return d
	}
	got := map[string][]float64{}
	want := map[string][]float64{}
	for _, f := range []Functional{
		Quantile{0.9}, Quantile{0.001}, AtMost(4), Above(4), Probability{2, 5},
	} {
		got[f.String()] = draws(f)
	}
	for b := range p.Chains() {
		count := map[string]float64{}
		r := p.Ranks(b)
		for _, u := range r {
			y := ppd.Quantile(u)
			for name, in := range map[string]bool{
				"p<=4": y <= 4, "p>4": y > 4, "p(2,5]": y > 2 && y <= 5,
			} {
				if in {
					count[name]++
				}
			}
		}
		for _, name := range []string{"p<=4", "p>4", "p(2,5]"} {
			want[name] = append(want[name], count[name]/50)
		}
		want["q0.9"] = append(want["q0.9"], ppd.Quantile(r[44]))
		want["q0.001"] = append(want["q0.001"], ppd.Quantile(r[0]))
	}
	for name, w := range want {
		if slices.Sort(w); !slices.Equal(w, got[name]) {
			t.Errorf("%s: draws differ from the forward samples", name)
		}
	}
}

// TestLimitDraws compares probabilities and quantiles of the limit posterior with G_N itself.
func TestLimitDraws(t *testing.T) {
	for _, c := range []struct {
		d, n int
		tol  float64 // mean absolute error of the probabilities
	}{{1, 1000, 1e-3}, {1, 50, 1e-3}, {10, 200, 2e-3}, {30, 50, 2e-3}} {
		p := posteriorOf(t, c.d, c.n, 200)
		for _, y := range []float64{1e-9, 0.0004, 0.03, 0.41, 0.8, 0.9995} {
			spec := Spec{Functional: AtMost(y), Posterior: LimitPosterior}
			got := summarizer(t, p, spec).Draws(nil, uniformPPD{})
			worst, mean := 0.0, 0.0
			for b, f := range got {
				e := math.Abs(f - p.G(b, y))
				worst, mean = math.Max(worst, e), mean+e/200
			}
			if worst > 1./64 || mean > c.tol {
				t.Errorf("d %d, n %d: G(%v) errs by %.1e at most, %.1e on average",
					c.d, c.n, y, worst, mean)
			}
		}
		spec := Spec{Functional: Quantile{0.7}, Posterior: LimitPosterior}
		q := summarizer(t, p, spec).Draws(nil, uniformPPD{})
		want := make([]float64, p.Chains())
		for b := range want {
			want[b] = p.GInverse(b, 0.7)
		}
		if slices.Sort(want); !slices.Equal(q, want) {
			t.Errorf("d %d, n %d: quantiles differ from G_N^-1", c.d, c.n)
		}
	}
}

// meanPPDs are smooth, kinked, skewed and two-peaked distributions.
func meanPPDs() map[string]PPD {
	return map[string]PPD{
		"normal": normalPPD{0, 1},
		"knots":  knotsOf(99, normalQuantile),
		"skewed": knotsOf(999, func(q float64) float64 { return -math.Log1p(-q) }),
		"peaks": knotsOf(99, func(q float64) float64 {
			if q < 0.345 {
				return 0.1 * q
			}
			return 10 + 0.1*q
		}),
		"offset": knotsOf(99, func(q float64) float64 { return 1e9 + normalQuantile(q) }),
	}
}

// checkMean compares the limits of the mean with those of the averages of P_0^-1 over ranks.
func checkMean(t *testing.T, s *Summarizer, what string, ppd PPD, ranks [][]float64, tol float64) {
	t.Helper()
	direct, origin := make([]float64, len(ranks)), ppd.Quantile(0.5)
	for b := range ranks {
		for _, u := range ranks[b] {
			direct[b] += ppd.Quantile(u) - origin
		}
		direct[b] = origin + direct[b]/float64(len(ranks[b]))
	}
	got, want := s.Row(ppd), s.rule.of(direct)
	width := want.hi - want.lo
	e := math.Max(math.Abs(got.Lo-want.lo), math.Abs(got.Hi-want.hi)) / width
	t.Logf("%s: error %.1e of the width", what, e)
	if e > tol {
		t.Errorf("%s: error %.1e of the width", what, e)
	}
}

// TestMeanAccuracy compares the limits of the mean with direct evaluation: of P_0^-1 at all
// ranks for the paper's posterior, of ∫ P_0^-1 dG_N on 2,000 levels for the limit.
func TestMeanAccuracy(t *testing.T) {
	for _, c := range []struct{ d, n, chains int }{{1, 5000, 400}, {1, 100, 400}, {10, 200, 400}} {
		p := posteriorOf(t, c.d, c.n, c.chains)
		ranks := make([][]float64, c.chains)
		for b := range ranks {
			ranks[b] = p.Ranks(b)
		}
		for name, ppd := range meanPPDs() {
			what := fmt.Sprintf("d %d, n %d, %s", c.d, c.n, name)
			checkMean(t, summarizer(t, p, Spec{}), what, ppd, ranks, 1e-3)
		}
	}
}

func TestLimitMeanAccuracy(t *testing.T) {
	const chains, levels = 60, 1000
	for _, c := range []struct{ d, n int }{{1, 5000}, {10, 200}} {
		p := posteriorOf(t, c.d, c.n, chains)
		w := newChain(p.law, p.Steps())
		inverse := make([][]float64, chains)
		for b := range inverse {
			w.load(p.rates, p.drawn[b*p.Steps():(b+1)*p.Steps()])
			for j := range levels {
				inverse[b] = append(inverse[b], (float64(j)+0.5)/levels)
			}
			// The middles of the end cells would miss a third of an exponential tail.
			inverse[b][0], inverse[b][levels-1] = 1/(math.E*levels), 1-1/(math.E*levels)
			w.inverseAll(inverse[b])
		}
		for name, ppd := range meanPPDs() {
			tol := 2e-3
			if name == "peaks" {
				tol = 0.02 // a gap of the PPD inside a cell of the Limit sample
			}
			what := fmt.Sprintf("d %d, n %d, %s", c.d, c.n, name)
			s := summarizer(t, p, Spec{Posterior: LimitPosterior})
			checkMean(t, s, what, ppd, inverse, tol)
		}
	}
}

// TestEstimateLaws: order, finiteness, exactness for point masses, equivariance.
func TestEstimateLaws(t *testing.T) {
	p := posteriorOf(t, 5, 60, 120)
	var all []*Summarizer
	for _, spec := range everySpec() {
		all = append(all, summarizer(t, p, spec))
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "knots")
		limit := rapid.SampledFrom([]float64{1e-300, 1, 1e9, 1e306}).Draw(t, "limit")
		knots := rapid.SliceOfN(rapid.Float64Range(-limit, limit), n, n).Draw(t, "q")
		slices.Sort(knots)
		ppd := knotPPD{knots, rapid.Float64Range(0.01, 100).Draw(t, "left"), 1}
		point := pointPPD(knots[0])
		for _, s := range all {
			e := s.Row(ppd)
			if !(e.Lo <= e.Hi) || math.IsInf(e.Lo, 0) || math.IsInf(e.Hi, 0) {
				t.Fatalf("%v: %+v", s.Functional(), e)
			}
			if e := s.Row(point); e.Lo != e.Point || e.Hi != e.Point {
				t.Fatalf("%v at a point mass at %v: %+v", s.Functional(), float64(point), e)
			}
		}
	})
}

// unknownPPD is what a network says that fails.
type unknownPPD struct{}

func (unknownPPD) CDF(float64) float64      { return math.NaN() }
func (unknownPPD) Quantile(float64) float64 { return math.NaN() }
func (unknownPPD) Mean() float64            { return math.NaN() }

// TestUnknown: a PPD that is no number has no summary.
func TestUnknown(t *testing.T) {
	p := posteriorOf(t, 5, 60, 120)
	for _, spec := range everySpec() {
		s := summarizer(t, p, spec)
		if e := s.Row(unknownPPD{}); !math.IsNaN(e.Point) || !math.IsNaN(e.Lo) || !math.IsNaN(e.Hi) {
			t.Errorf("%+v: %+v", spec, e)
		}
		for _, v := range s.Draws(nil, unknownPPD{}) {
			if !math.IsNaN(v) {
				t.Fatalf("%+v: draw %v", spec, v)
			}
		}
	}
}

// TestBatch: a PPD with and without the batch method gives the same estimates.
func TestBatch(t *testing.T) {
	p := posteriorOf(t, 3, 100, 100)
	ppd := knotsOf(19, normalQuantile)
	for _, spec := range everySpec() {
		s := summarizer(t, p, spec)
		if a, b := s.Row(ppd), s.Row(struct{ PPD }{ppd}); !sameBits(a, b) {
			t.Errorf("%+v: %+v with, %+v without", spec, a, b)
		}
	}
}

// An estimate is JSON with and without standard errors.
func TestEstimateAsJSON(t *testing.T) {
	for want, e := range map[string]Estimate{
		`{"Hi":3,"Lo":1,"Point":2,"Widened":false}`: {Point: 2, Lo: 1, Hi: 3, LoSE: math.NaN(),
			HiSE: math.NaN()},
		`{"Hi":3,"HiSE":0,"Lo":1,"LoSE":0.5,"Point":2,"Widened":true}`: {Point: 2, Lo: 1, Hi: 3,
			LoSE: 0.5, Widened: true},
	} {
		if got, err := json.Marshal(e); err != nil || string(got) != want {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
}

// TestPointOutside: the maximum of 50 forward samples falls short of the 0.999 quantile of the
// PPD.
func TestPointOutside(t *testing.T) {
	p := posteriorOf(t, 1, 5000, 400)
	e := summarizer(t, p, Spec{Functional: Quantile{0.999}}).Row(uniformPPD{})
	if e.Point != 0.999 || e.Hi >= e.Point {
		t.Errorf("%+v: the limits have been moved", e)
	}
}

func TestSpecErrors(t *testing.T) {
	p := posteriorOf(t, 3, 100, 10)
	for _, c := range []struct {
		spec Spec
		want string
	}{
		{Spec{Level: 1}, "level"}, {Spec{Level: -0.1}, "level"}, {Spec{Level: math.NaN()}, "level"},
		{Spec{Functional: Quantile{0}}, "quantile level"},
		{Spec{Functional: Quantile{1}}, "quantile level"},
		{Spec{Functional: Probability{2, 1}}, "Lo < Hi"},
		{Spec{Functional: Probability{math.Inf(-1), math.Inf(1)}}, "Lo < Hi"},
		{Spec{Functional: Probability{math.NaN(), 1}}, "Lo < Hi"},
		{Spec{Interval: 7}, "interval"}, {Spec{Posterior: DirectPosterior}, "posterior"},
	} {
		_, err := p.Summarizer(t.Context(), c.spec)
		must.Fail(t, c.spec, err, c.want)
	}
	defer func() {
		if recover() == nil {
			t.Error("Estimates accepts lists of different lengths")
		}
	}()
	made := summarizer(t, p, Spec{})
	_ = Estimates(t.Context(), made, nil, make([]Prediction, 1), 0)
}
