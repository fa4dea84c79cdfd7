//go:build !race

// How right importance is, by hundreds of predictions.
// The race detector makes them slow and finds nothing there: `make test` runs them without it.

package explain

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/internal/must"
)

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
	must.Succeed(t, err)
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
	unknown := *found // nothing is explained, so nothing has a share of it
	unknown.Groups = []GroupImportance{{Share: nothing, Gain: Measure{1, 0, 2}}}
	text, err := json.Marshal(unknown)
	if want := `"Share":null,"Gain":{"Hi":2,"Lo":0,"Point":1}`; err != nil ||
		!strings.Contains(string(text), want) {
		t.Errorf("%v, %s, want %s", err, text, want)
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
