package pfnamp

import (
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/reading"
	"github.com/pfnamp/pfnamp/warning"
)

// lacking are flats whose rows lack cells, but for the first three: a number, a category, a
// category that no context row has, and all.
func lacking() []map[string]any {
	rows := flats(12)[5:]
	delete(rows[3], "area")
	rows[4]["town"] = nil
	rows[5]["town"] = "Oslo"
	rows[6] = map[string]any{"area": nil, "town": nil}
	return rows
}

// Rows that lack nothing have the bits that they have without the others, and those that lack cells
// have the same alone, in any batch, fitted or restored.
func TestLackingRowsStandAlone(t *testing.T) {
	for _, target := range []string{"y", "kind"} {
		m := opened(t, "")
		ignore := "kind"
		if target == "kind" {
			m, ignore = opened(t, "classifier"), "y"
		}
		f := fit(t, m, FitOptions{Target: target, Ignore: []string{ignore}})
		q := Question{Chains: 20, Seed: 3}
		p := prepare(t, f, q)
		native := prepare(t, f, Question{Chains: 20, Seed: 3, Missing: reading.Native})
		restored := prepare(t, again(t, f, m), q)
		together, plain := ask(t, p, lacking()), ask(t, native, lacking())
		same := ask(t, restored, lacking())
		for f, estimates := range together.Posteriors[0].Estimates {
			for i, e := range estimates {
				alone := ask(t, p, []map[string]any{with(lacking()[i])}).Posteriors[0].Estimates[f][0]
				kept := same.Posteriors[0].Estimates[f][i]
				e.LoSE, e.HiSE, alone.LoSE, alone.HiSE, kept.LoSE, kept.HiSE = 0, 0, 0, 0, 0, 0
				if e != alone || e != kept {
					t.Errorf("%s: row %d is %+v, alone %+v, restored %+v", target, i, e, alone, kept)
				}
				if before := plain.Posteriors[0].Estimates[f][i]; (e.Lo == before.Lo) != (i < 3) {
					t.Errorf("%s: row %d is %+v, without donors %+v", target, i, e, before)
				}
			}
		}
		if !reflect.DeepEqual(together.Predictive, same.Predictive) ||
			!reflect.DeepEqual(together.Best, same.Best) {
			t.Errorf("%s: restored %v %v", target, same.Predictive, same.Best)
		}
	}
}

// with is a row with all features.
func with(row map[string]any) map[string]any {
	all := map[string]any{"area": nil, "town": nil}
	for _, name := range []string{"area", "town"} {
		if v, ok := row[name]; ok {
			all[name] = v
		}
	}
	return all
}

// again saves and restores.
func again(t *testing.T, f *Fitted, m *pfn.Model) *Fitted {
	t.Helper()
	restored, err := readState(t, savedState(t, f)).Restore(m)
	must.Succeed(t, err)
	t.Cleanup(func() { restored.Close() })
	return restored
}

// Donors that do not fit a state are refused, and so is an unknown way.
func TestDonorsOfStates(t *testing.T) {
	f := fit(t, opened(t, ""), FitOptions{Target: "y", Ignore: []string{"kind"}})
	if _, err := f.Prepare(t.Context(), Question{Missing: "often"}); err == nil {
		t.Error("an unknown way is taken")
	}
	infinite := "AAAAAAAA8H8AAAAAAADwfwAAAAAAAPB/"
	for _, wrong := range []reading.Saved{{Rows: 60}, {Rows: 0}, {Rows: 1, Cells: "%"},
		{Rows: 1, Cells: infinite}} {
		if _, err := wrong.Lenders([]bool{false, false}, 0); err == nil {
			t.Errorf("%+v is taken", wrong)
		}
	}
	wrong := reading.Save(pfn.Training{X: pfn.Matrix{Rows: 1, Data: []float64{1, 2}}, Y: []float64{2}})
	if _, err := wrong.Lenders([]bool{false, false}, 2); err == nil {
		t.Error("a class that there is not is taken")
	}
}

// Bundles of other packages read missing cells as these do, unless they are asked not to; conformal
// intervals and all posteriors know the mean.
func TestWhoAverages(t *testing.T) {
	tiny := opened(t, filepath.Join("testdata", "tiny"))
	f := fit(t, tiny, FitOptions{Target: "y", Ignore: []string{"kind"}})
	q := Question{Chains: 20, Posteriors: []Posterior{Paper, Limit}}
	native := ask(t, prepare(t, f, q), lacking())
	q.Missing = reading.Average
	q.Predictive = ConformalInterval
	p := prepare(t, f, q)
	defer p.Close()
	mean := ask(t, p, lacking())
	for i := range mean.Rows() {
		lo, other := native.Posteriors[1].Estimates[0][i].Lo, mean.Posteriors[1].Estimates[0][i].Lo
		if changed := lo != other; changed != (i >= 3) {
			t.Errorf("row %d: changed is %v", i, changed)
		}
		if in := mean.Predictive[i]; !(in.Lo <= in.Hi) {
			t.Errorf("row %d: %+v", i, in)
		}
	}
	for _, bundle := range []string{"", "classifier"} {
		if !reading.Missing("").Averages(opened(t, bundle).Bundle().Manifest) {
			t.Errorf("the embedded bundle %q is not asked for the mean", bundle)
		}
	}
}

// Cells that the training table never lacks are counted; unseen categories have a warning of their
// own.
func TestMissingCellsAreTold(t *testing.T) {
	f := fit(t, opened(t, ""), FitOptions{Target: "y", Ignore: []string{"kind"}})
	for missing, want := range map[reading.Missing]string{
		reading.Auto: `missing cells in columns that are complete in flats: "area" (2 rows); ` +
			`the answers average over their possible values`,
		reading.Native: `missing cells in columns that are complete in flats: "area" (2 rows); ` +
			`the model reads a constant there, so intervals are too narrow`,
	} {
		p := prepare(t, f, Question{Missing: missing})
		q := encode(t, p, lacking())
		once := p.Warnings(q.tally) // flats lacks a town itself
		if len(once) != 2 || once[0].Kind != warning.UnseenCategories || once[1].Text != want {
			t.Errorf("%v, want %s", once, want)
		}
		var sum warning.Tally
		sum.Add(q.tally)
		sum.Add(q.tally)
		twice := p.Warnings(sum)
		if len(twice) != 2 || !strings.Contains(twice[0].Text, ": 2 cells with") ||
			!strings.Contains(twice[1].Text, `"area" (4 rows)`) {
			t.Errorf("twice %v", twice)
		}
	}
}

// A category that the training table lacks is unknown and not missing: it averages over the known
// ones where missing has a meaning of its own, from a state too.
func TestUnknownIsNotMissing(t *testing.T) {
	rows := make([]map[string]any, 90)
	for i := range rows {
		y, colour := 0.01*float64(i%7), any([]string{"red", "green", "blue"}[i%3])
		if i%10 == 0 {
			y, colour = 100+y, nil
		}
		rows[i] = map[string]any{"x": float64(i * i % 31), "colour": colour, "y": y}
	}
	m := opened(t, "")
	f := fitRows(t, m, "colours", rows, FitOptions{Target: "y"})
	asked := []map[string]any{{"x": 3., "colour": "purple"}, {"x": 3., "colour": nil},
		{"x": 3., "colour": "red"}}
	for _, fitted := range []*Fitted{f, again(t, f, m)} {
		a := ask(t, prepare(t, fitted, Question{Chains: 20}), asked)
		native := ask(t, prepare(t, fitted, Question{Chains: 20, Missing: reading.Native}), asked)
		for f, want := range map[*Answer][]float64{a: {0, 100, 0}, native: {100, 100, 0}} {
			for i, mean := range f.Posteriors[0].Estimates[0] {
				if math.Abs(mean.Point-want[i]) > 2 {
					t.Errorf("row %d has the mean %.2f, want %.0f", i, mean.Point, want[i])
				}
			}
		}
	}
}

// Where an empty cell of the context has a meaning, here that y is near 5 and not 0, a column that
// a batch lacks has none: the answer averages over cells and empty cells, from a state too.
func TestAbsentColumn(t *testing.T) {
	var context []map[string]any
	for i := range 60 {
		row := map[string]any{"area": float64(i * 7 % 60), "boost": nil, "y": 5 + 0.01*float64(i%7)}
		if i%2 == 0 {
			row["boost"], row["y"] = float64(i%9), 0.01*float64(i%7)
		}
		context = append(context, row)
	}
	m := opened(t, "")
	fitted := fitRows(t, m, "t.csv", context, FitOptions{Target: "y"})
	batch := tableOf(t, "query", []map[string]any{{"area": 30.0}}).Batches[0]
	for _, f := range []*Fitted{fitted, again(t, fitted, m)} {
		p := prepare(t, f, Question{})
		if empty := ask(t, p, []map[string]any{{"area": 30.0, "boost": nil}}); !(mean(empty) > 4.5) {
			t.Errorf("an empty cell gives %g", mean(empty))
		}
		batch.Lacking = false
		if _, err := p.Predict(t.Context(), batch); err == nil {
			t.Error("a batch without the column is answered")
		}
		batch.Lacking = true
		absent, err := p.Predict(t.Context(), batch)
		must.Succeed(t, err)
		if m := mean(absent); !(m > 2 && m < 3) || len(absent.Tally.Missing) > 0 {
			t.Errorf("an absent column gives %g, missing in %v", mean(absent), absent.Tally.Missing)
		}
	}
}

// mean is the first estimate of the first row.
func mean(a *Answer) float64 { return a.Posteriors[0].Estimates[0][0].Point }
