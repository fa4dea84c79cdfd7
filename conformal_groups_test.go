package pfnamp

import (
	"errors"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/heldout"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular"
)

// Groups of a column that is no feature: other intervals than over all rows, the same for a row
// alone, and those of all rows for a group that the context lacks.
func TestConformalByColumn(t *testing.T) {
	m := opened(t, "")
	opt := FitOptions{Target: "y", Ignore: []string{"kind"}, ConformalBy: "kind",
		Subsample: 50, Seed: 2}
	f := fit(t, m, opt)
	q := Question{Chains: 20, Predictive: ConformalInterval, Level: 0.8, ConformalBy: "kind", Seed: 3}
	p := prepare(t, f, q)
	defer p.Close()
	rows := flats(8)
	rows[5]["kind"] = "boat"
	a := ask(t, p, rows)
	if a.Tally.NewGroups != 1 || p.Conformal().Groups() != 2 {
		t.Errorf("%d rows of other groups than %d", a.Tally.NewGroups, p.Conformal().Groups())
	}
	q.Workers = 1
	alone := prepare(t, f, q)
	defer alone.Close()
	slices.Reverse(rows)
	for i, in := range ask(t, alone, rows).Predictive {
		if in != a.Predictive[len(rows)-1-i] {
			t.Errorf("row %d: %v, in another order %v", i, a.Predictive[len(rows)-1-i], in)
		}
	}
	for _, row := range rows {
		row["kind"] = "flat"
	}
	same := 0
	for i, in := range ask(t, p, rows).Predictive {
		if in == a.Predictive[len(rows)-1-i] {
			same++
		}
	}
	if same == 0 || same == len(rows) {
		t.Errorf("as flats, %d of %d rows have the same interval", same, len(rows))
	}
}

// A question about other groups than those of the fit, without conformal predictions, or about
// groups of few rows is refused.
func TestConformalByIsRefused(t *testing.T) {
	f := fit(t, opened(t, ""), FitOptions{Target: "y", Ignore: []string{"kind"}, ConformalBy: "town"})
	for by, q := range map[string]Question{
		"kept groups of \"town\"": {Predictive: ConformalInterval, ConformalBy: "kind"},
		"Predictive is ppd":       {ConformalBy: "town"},
		"the group of missing ce": {Predictive: ConformalInterval, ConformalBy: "town"},
	} {
		_, err := f.Prepare(t.Context(), q)
		must.Fail(t, q, err, by)
	}
	_, err := f.Prepare(t.Context(), Question{Predictive: ConformalInterval, Level: 0.95,
		ConformalBy: "town"})
	small, ok := errors.AsType[*heldout.SmallGroupsError](err)
	if !ok || small.Least != 19 || !slices.Equal(small.Groups, []string{""}) ||
		!slices.Equal(small.Rows, []int{1}) {
		t.Errorf("level 0.95: %v", err)
	}
	for _, column := range []string{"y", "street"} {
		table := tableOf(t, "flats", flats(60))
		_, err = Learn(table, f.model.Bundle().Manifest, FitOptions{Target: "y", ConformalBy: column})
		if wrong, ok := errors.AsType[*tabular.Error](err); !ok || wrong.Column != column {
			t.Errorf("groups by %s: %v", column, err)
		}
	}
}

// Sets by class are compared with rows of each class.
func TestSetsByClass(t *testing.T) {
	f := fitRows(t, opened(t, "testdata/tiny-classes"), "flats", flats(60), FitOptions{Target: "town"})
	q := Question{Chains: 20, Predictive: ConformalInterval, Level: 0.8, Seed: 3}
	whole := prepare(t, f, q)
	defer whole.Close()
	q.ConformalBy = heldout.ByClass
	p := prepare(t, f, q)
	defer p.Close()
	if p.Conformal().Groups() != 3 || whole.Conformal().Groups() != 1 {
		t.Errorf("%d groups, %d without", p.Conformal().Groups(), whole.Conformal().Groups())
	}
	a, b := ask(t, p, flats(30)), ask(t, whole, flats(30))
	if slices.EqualFunc(a.Sets, b.Sets, slices.Equal) {
		t.Error("sets by class are those over all rows")
	}
	q.Level = 0.98
	_, err := f.Prepare(t.Context(), q)
	small, ok := errors.AsType[*heldout.SmallGroupsError](err)
	if !ok || small.Least != 49 || !slices.Equal(small.Groups, f.Classes()) {
		t.Errorf("level 0.98: %v", err)
	}
}
