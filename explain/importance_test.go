package explain

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/pfn"
)

// fitted is a table that the embedded model of a task has read.
func fitted(t testing.TB, model string, rows any) *pfnamp.Fitted {
	t.Helper()
	return fittedBy(t, model, rows, pfnamp.FitOptions{Target: "Y"})
}

// fittedBy is fitted with options.
func fittedBy(t testing.TB, model string, rows any, opt pfnamp.FitOptions) *pfnamp.Fitted {
	t.Helper()
	m, err := pfnamp.Open(model, pfn.Options{Library: orttest.Library(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	table, err := pfnamp.Table("lines", rows)
	if err != nil {
		t.Fatal(err)
	}
	f, err := pfnamp.Fit(t.Context(), m, table, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// importance is that of a table's columns, by name.
func importance(
	t *testing.T, model string, rows any, opt ImportanceOptions,
) (*Importance, map[string]GroupImportance) {
	t.Helper()
	return importanceBy(t, model, rows, pfnamp.FitOptions{Target: "Y"}, opt)
}

// importanceBy is importance with options of the fit.
func importanceBy(
	t *testing.T, model string, rows any, fit pfnamp.FitOptions, opt ImportanceOptions,
) (*Importance, map[string]GroupImportance) {
	t.Helper()
	opt.Seed = 1
	found, err := NewImportance(t.Context(), fittedBy(t, model, rows, fit), opt)
	if err != nil {
		t.Fatal(err)
	}
	groups := map[string]GroupImportance{}
	for _, g := range found.Groups {
		groups[g.Name()] = g
	}
	return found, groups
}

// doubled is a row of lines with its number A twice, once with a little error, and with missing
// cells.
type doubled struct {
	A, B  *float64
	Again float64
	Town  string
	Y     *float64
}

// Of y = 3a + 2 [town is York] + 0b the variance is 9 + 1: a is 0.9 of what is explained, the town
// 0.1, and b is noise. Workers change nothing.
func TestImportanceOfALinearTable(t *testing.T) {
	rows := lines(120)
	found, groups := importance(t, "", rows, ImportanceOptions{Workers: 1})
	if e := found.Explained; !(e.Lo < 0.99 && e.Point > 0.97 && e.Hi <= 1) {
		t.Errorf("explained %+v", e)
	}
	// of this sample, in which every other row is of York
	a, mean := 0.0, 0.0
	for _, r := range rows {
		mean += r.A / 120
	}
	for _, r := range rows {
		a += 9 * (r.A - mean) * (r.A - mean) / 120
	}
	for name, share := range map[string]float64{"A": a / (a + 1), "Town": 1 / (a + 1)} {
		g := groups[name]
		if !g.Surely() || g.Share.Lo > share || g.Share.Hi < share || g.Share.Hi-g.Share.Lo > 0.3 {
			t.Errorf("%s: %+v, want a share of %v", name, g, share)
		}
		if !(g.Gain.Lo > 0 && g.Noise < 0) {
			t.Errorf("%s: gain %+v, of noise %v", name, g.Gain, g.Noise)
		}
	}
	if g := groups["B"]; g.Surely() || math.Abs(g.Share.Point) > 0.01 {
		t.Errorf("noise: %+v", g)
	}
	if found.Groups[0].Name() != "A" || found.Score != "CRPS" || found.Rows != 120 {
		t.Errorf("%+v", found)
	}
	again, _ := importance(t, "", rows, ImportanceOptions{Workers: 3})
	if !reflect.DeepEqual(found, again) {
		t.Errorf("one worker %+v, three %+v", found, again)
	}
}

// visit is a row of a site; the number of the site tells its level, and A moves Y everywhere.
type visit struct {
	A, Site float64
	Place   string
	Time    float64
	Y       float64
}

// visits are rows of 15 sites, ten of each.
func visits() (rows []visit) {
	random := rand.New(rand.NewPCG(5, 6))
	for site := range 15 {
		level := 3 * random.NormFloat64()
		for range 10 {
			a := random.NormFloat64()
			rows = append(rows, visit{a, float64(site), string(rune('a' + site)), float64(len(rows)),
				2*a + level + 0.5*random.NormFloat64()})
		}
	}
	return rows
}

// In rows of sites that the model has not read, the number of the site tells nothing; in others it
// does. In the order of time the first rows are only read.
func TestImportanceDivided(t *testing.T) {
	for _, c := range []struct {
		opt   pfnamp.FitOptions
		first int
		site  bool
	}{
		{pfnamp.FitOptions{}, 0, true},
		{pfnamp.FitOptions{Group: "Place"}, 0, false},
		{pfnamp.FitOptions{Time: "Time"}, 25, false},
	} {
		c.opt.Target, c.opt.Ignore = "Y", []string{"Time", "Place"}
		found, groups := importanceBy(t, "", visits(), c.opt, ImportanceOptions{})
		if found.Folds != 5 || found.First != c.first || found.Rows != 150-c.first {
			t.Errorf("%+v: %d folds, %d rows after %d", c.opt, found.Folds, found.Rows, found.First)
		}
		if g := groups["Site"]; c.opt.Time == "" && g.Surely() != c.site {
			t.Errorf("%+v: the site: %+v", c.opt, g)
		}
		if g := groups["A"]; !g.Surely() {
			t.Errorf("%+v: A: %+v", c.opt, g)
		}
	}
	_, err := NewImportance(t.Context(), fittedBy(t, "", []visit{{Y: 1}, {Y: 2, A: 1}},
		pfnamp.FitOptions{Target: "Y", Group: "Place"}), ImportanceOptions{})
	if few, ok := errors.AsType[*FewRowsError](err); !ok || few.Rows != 2 {
		t.Errorf("two rows: %v", err)
	}
}

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

// The bootstrap computes in as many goroutines as ImportanceOptions.Workers allows.
func TestBootstrapWorkers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	boot := newBootstrap(newUnits(14, nil), ImportanceOptions{Level: 0.9, Workers: 1}, 5)
	var running, most atomic.Int32
	boot.measure(func([]float64) float64 {
		now := running.Add(1)
		for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
		}
		runtime.Gosched()
		running.Add(-1)
		return 0
	})
	if most.Load() != 1 {
		t.Errorf("%d resamples at the same time, with one worker", most.Load())
	}
}

// A column and its copy form a group, which has the importance that neither has beside the other;
// missing cells make neither them nor noise important.
func TestImportanceOfADuplicate(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var rows []doubled
	for i, r := range lines(120) {
		d := doubled{A: &r.A, B: &r.B, Again: r.A + 0.1*random.NormFloat64(), Town: r.Town, Y: r.Y}
		if i%4 == 0 {
			d.B = nil
		}
		if i%30 == 7 {
			d.A = nil
		}
		rows = append(rows, d)
	}
	_, groups := importance(t, "", rows, ImportanceOptions{})
	if g, ok := groups["A + Again"]; !ok || !g.Surely() || g.Share.Lo > 0.9 || g.Share.Hi < 0.9 {
		t.Errorf("%+v", groups)
	}
	if g := groups["B"]; g.Surely() || math.Abs(g.Share.Point) > 0.02 {
		t.Errorf("noise: %+v", g)
	}
	_, alone := importance(t, "", rows, ImportanceOptions{Correlated: 1})
	if a, b := alone["A"], alone["Again"]; a.Told < 0.9 || a.Share.Point > 0.3 || b.Share.Point > 0.3 {
		t.Errorf("beside its copy: %+v, %+v", a, b)
	}
}

// sign is a row whose label tells whether A is positive, mostly.
type sign struct {
	A, B float64
	Y    *string
}

// Of labels, the share is that of the log loss; a label that one row has is left out.
func TestImportanceForLabels(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var rows []sign
	for i := range 121 {
		r := sign{A: random.NormFloat64(), B: random.NormFloat64()}
		label := []string{"minus", "plus"}[map[bool]int{true: 1}[r.A+0.3*random.NormFloat64() > 0]]
		if i == 60 {
			label = "once"
		}
		r.Y = &label
		rows = append(rows, r)
	}
	found, groups := importance(t, "classifier", rows, ImportanceOptions{})
	if found.Left != 1 || found.Rows != 120 || found.Score != "log loss" {
		t.Errorf("%+v", found)
	}
	if !(found.Explained.Lo > 0.3) {
		t.Errorf("%+v", found)
	}
	if a := groups["A"]; !a.Surely() || a.Share.Hi < 0.95 || a.Share.Lo < 0.7 {
		t.Errorf("A: %+v", a)
	}
	if b := groups["B"]; b.Surely() || math.Abs(b.Share.Point) > 0.1 {
		t.Errorf("B: %+v", b)
	}
}

// Few rows, and a cancelled context, are errors.
func TestImportanceErrors(t *testing.T) {
	f := fitted(t, "", lines(19))
	_, err := NewImportance(t.Context(), f, ImportanceOptions{})
	if few, ok := errors.AsType[*FewRowsError](err); !ok || few.Rows != 19 {
		t.Errorf("19 rows: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	stop := func(int, int) { cancel() }
	all := fitted(t, "", lines(30))
	_, err = NewImportance(ctx, all, ImportanceOptions{Report: stop})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
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
	got := classes.of([]amp.PPD{amp.Classes{0.5, 0.5}, amp.Classes{0.9, 0.1}}, []float64{0.5, 0.5}, 0)
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
