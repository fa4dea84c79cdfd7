package pfnamp

import (
	"bytes"
	"context"
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

func TestMain(m *testing.M) { orttest.Main(m, "^Example") }

var shared = map[string]*pfn.Model{}

// opened is a model that all tests share: the embedded one with one member, or a fixture. Loading
// its graphs takes longer than most tests.
func opened(t *testing.T, name string) *pfn.Model {
	t.Helper()
	if shared[name] == nil {
		m, err := Open(name, pfn.Options{Library: orttest.Library(t), Members: 1, Refit: true})
		must.Succeed(t, err)
		shared[name] = m
	}
	return shared[name]
}

// flats are labelled rows with a number, a category with a missing cell, and a class.
func flats(n int) []map[string]any {
	rows := make([]map[string]any, n)
	for i := range rows {
		area, town := float64(20+i*i%37), []string{"Bath", "York", "Hull"}[i%3]
		rows[i] = map[string]any{"area": area, "town": town, "y": 3*area + float64(i*7%11),
			"kind": []string{"house", "flat"}[i/2%2]}
	}
	rows[4]["town"] = nil
	return rows
}

// manifestOf is the manifest of a bundle that there is.
func manifestOf(t *testing.T, name string) models.Manifest {
	t.Helper()
	b, err := models.Find(name)
	must.Succeed(t, err)
	return b.Manifest
}

// learn is a training table that can be learned from.
func learn(t *testing.T, table *tabular.Table, m models.Manifest, opt FitOptions) *Training {
	t.Helper()
	training, err := Learn(table, m, opt)
	must.Succeed(t, err)
	return training
}

// savedState is a fitted table as Save writes it.
func savedState(t *testing.T, f *Fitted) []byte {
	t.Helper()
	var file bytes.Buffer
	must.Succeed(t, f.Save(&file, "test"))
	return file.Bytes()
}

// readState reads a state from memory.
func readState(t *testing.T, file []byte) *State {
	t.Helper()
	s, err := ReadState(bytes.NewReader(file), "test.state")
	must.Succeed(t, err)
	return s
}

// tableOf is a table of rows that cannot fail.
func tableOf(t *testing.T, name string, rows any) *tabular.Table {
	t.Helper()
	table, err := Table(name, rows)
	must.Succeed(t, err)
	return table
}

// fitRows fits a model to rows, until the test ends.
func fitRows(t *testing.T, m *pfn.Model, name string, rows any, opt FitOptions) *Fitted {
	t.Helper()
	f, err := Fit(t.Context(), m, tableOf(t, name, rows), opt)
	must.Succeed(t, err)
	t.Cleanup(func() { f.Close() })
	return f
}

// fit fits flats.
func fit(t *testing.T, m *pfn.Model, opt FitOptions) *Fitted {
	t.Helper()
	return fitRows(t, m, "flats", flats(60), opt)
}

// prepare readies a question that cannot fail.
func prepare(t *testing.T, f *Fitted, q Question) *Predictor {
	t.Helper()
	p, err := f.Prepare(t.Context(), q)
	must.Succeed(t, err)
	return p
}

// ask answers for flats.
func ask(t *testing.T, p *Predictor, rows any) *Answer {
	t.Helper()
	a, err := p.Rows(t.Context(), rows)
	must.Succeed(t, err)
	return a
}

// A predictor answers the same from many goroutines, row by row or all at once, fitted or restored.
func TestAnswersDoNotDependOnTheWay(t *testing.T) {
	m := opened(t, "")
	f := fit(t, m, FitOptions{Target: "y", Ignore: []string{"kind"}, Subsample: 40, Seed: 2})
	restored := again(t, f, m)
	if !reflect.DeepEqual(restored.Options(), f.Options()) || f.Context().Rows() != 40 {
		t.Errorf("options %+v, want %+v", restored.Options(), f.Options())
	}
	q := Question{Chains: 60, Functionals: []amp.Functional{amp.Mean{}, amp.Above(100)}}
	p, other := prepare(t, f, q), prepare(t, restored, q)
	rows := flats(20)
	want := ask(t, p, rows).Posteriors[0].Estimates
	var group sync.WaitGroup
	for i := range rows {
		group.Go(func() {
			for _, p := range []*Predictor{p, other} {
				a, err := p.Rows(t.Context(), rows[i:i+1])
				if err != nil {
					t.Error(err)
					continue
				}
				for k, estimates := range a.Posteriors[0].Estimates {
					if e, w := estimates[0], want[k][i]; e.Point != w.Point || e.Lo != w.Lo || e.Hi != w.Hi {
						t.Errorf("row %d: %+v, want %+v", i, e, w)
					}
				}
			}
		})
	}
	group.Wait()
}

// Every posterior answers, and intervals of all kinds are ordered; a record has the named columns.
func TestPosteriors(t *testing.T) {
	f := fit(t, opened(t, ""), FitOptions{Target: "y"})
	plain := fit(t, opened(t, filepath.Join("testdata", "tiny")), FitOptions{Target: "y"})
	for _, posterior := range amp.Posteriors() {
		f := f
		if posterior == Companion {
			f = plain
		}
		for _, kind := range []amp.IntervalKind{amp.EqualTailed, amp.HighestDensity} {
			p := prepare(t, f, Question{Posteriors: []Posterior{posterior}, Interval: kind, Chains: 60,
				Level:       0.8,
				Functionals: []amp.Functional{amp.Quantile{Level: 0.5}}})
			a := ask(t, p, flats(5))
			for i, e := range a.Posteriors[0].Estimates[0] {
				if label := a.Predictive[i]; !(e.Lo < e.Hi) || !(label.Lo < label.Hi) {
					t.Errorf("%s, row %d: %+v, %+v", posterior, i, e, label)
				}
			}
			record, err := p.Record(a)
			must.Succeed(t, err)
			if got := record.Schema().String(); record.NumRows() != 5 || record.NumCols() != 5 ||
				!strings.Contains(got, "q0.5_hi") || !strings.Contains(got, "pi_lo") {
				t.Errorf("%s", got)
			}
			record.Release()
		}
	}
	_, err := plain.Prepare(t.Context(), Question{Posteriors: []Posterior{Direct}})
	if none, ok := errors.AsType[*pfn.NoDirectError](err); !ok ||
		!strings.Contains(none.Error(), "tiny 1 has no posterior of its own") {
		t.Errorf("direct posterior of a network without one: %v", err)
	}
}

// A classifier is asked for the probabilities of its classes, which keep the labels' names.
func TestClasses(t *testing.T) {
	m := opened(t, filepath.Join("testdata", "tabicl-classes"))
	f := fit(t, m, FitOptions{Target: "kind", Ignore: []string{"y"}})
	p := prepare(t, f, Question{Chains: 60})
	q := p.Question()
	if q.Posteriors[0] != Auto || q.Rho != 1 ||
		strings.Join(q.Names(f.Schema()), " ") != "p=flat p=house" {
		t.Errorf("%+v", q)
	}
	a := ask(t, p, flats(6))
	for i := range a.Rows() {
		sum := a.Posteriors[0].Estimates[0][i].Point + a.Of("p=" + f.Classes()[1])[i].Point
		if math.Abs(sum-1) > 1e-9 || a.Predictive != nil ||
			a.Posteriors[0].Estimates[a.Best[i]][i].Point < 0.5 {
			t.Errorf("row %d: sum %v, class %d", i, sum, a.Best[i])
		}
	}
	if _, err := f.Prepare(t.Context(),
		Question{Functionals: []amp.Functional{amp.Mean{}}}); !errors.Is(
		err, ErrFunctionals) {
		t.Errorf("the mean of classes: %v", err)
	}
}

// Odd cells are warnings, wrong ones errors with their place.
func TestQueriesAreChecked(t *testing.T) {
	f := fit(t, opened(t, ""), FitOptions{Target: "y", Ignore: []string{"kind"}})
	p := prepare(t, f, Question{Chains: 20})
	a := ask(t, p, []map[string]any{{"area": 30, "town": "Rome"}, {"area": 40, "town": "Oslo"}})
	if len(a.Of("mean")) != 2 || a.Of("mean")[1].Point != a.Posteriors[0].Estimates[0][1].Point ||
		a.Of("q0.5") != nil {
		t.Errorf("the mean by its name: %v, a quantile %v", a.Of("mean"), a.Of("q0.5"))
	}
	const unseen = `column "town": 2 cells with a category that flats does not have, treated as ` +
		`unknown: "Rome" (row 1), "Oslo" (row 2)`
	if got := p.Warnings(a.Tally); len(got) != 1 || got[0].Text != unseen {
		t.Errorf("warnings %v", got)
	}
	for want, row := range map[string]map[string]any{
		`rows: column "town": the table has no such column`: {"area": 30},
		`rows: row 1: column "area"`:                        {"area": "wide", "town": "Bath"},
	} {
		_, err := p.Rows(t.Context(), []map[string]any{row})
		if wrong, ok := errors.AsType[*tabular.Error](err); !ok ||
			!strings.Contains(wrong.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A state is refused by another model, and of another format.
func TestStatesAreChecked(t *testing.T) {
	f := fit(t, opened(t, ""), FitOptions{Target: "y"})
	file := savedState(t, f)
	s := readState(t, file)
	for _, name := range []string{"tabicl-classes", "tiny"} {
		_, err := readState(t, file).Restore(opened(t, filepath.Join("testdata", name)))
		if other, ok := errors.AsType[*pfn.StateError](err); !ok || !other.Other {
			t.Errorf("%s: %v", name, err)
		}
	}
	note := string(s.Note)
	for _, format := range []string{`{"format":5,`, `{"format":3,`, "{"} {
		s.Format = 0
		s.Note = []byte(strings.Replace(note, `{"format":4,`, format, 1))
		if other, ok := errors.AsType[*pfn.StateError](s.readSchema()); !ok || !other.Other {
			t.Errorf("a state that begins with %s is read", format)
		}
	}
}

// The error about a missing library has the remedy.
func TestMissingLibrary(t *testing.T) {
	_, err := Open("", pfn.Options{Library: filepath.Join(t.TempDir(), "none.so")})
	library := (*pfn.LibraryError)(nil)
	if !errors.As(err, &library) || !strings.Contains(err.Error(), library.Hint()) {
		t.Errorf("%v", err)
	}
	if _, err := Open("no-such-bundle", pfn.Options{}); err == nil {
		t.Error("a bundle that is not there")
	}
}

// Ask runs no chains before the first rows, and gives the answers of Prepare.
func TestAsk(t *testing.T) {
	f := fit(t, opened(t, filepath.Join("testdata", "tiny")), FitOptions{Target: "y"})
	q := Question{Posteriors: []Posterior{Paper}, Chains: 40, Errors: true} // without errors, NaN
	late, err := f.Ask(t.Context(), q)
	if err != nil || late.summaries != nil {
		t.Fatalf("%v, %d summaries", err, len(late.summaries))
	}
	want, got := ask(t, prepare(t, f, q), flats(5)), ask(t, late, flats(5))
	if !reflect.DeepEqual(got.Posteriors[0].Estimates, want.Posteriors[0].Estimates) ||
		len(late.summaries) != 1 {
		t.Errorf("got %v, want %v", got.Posteriors[0].Estimates, want.Posteriors[0].Estimates)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if p, err := f.Ask(stopped, q); err != nil || !errors.Is(p.Ready(stopped), context.Canceled) {
		t.Errorf("%v: a cancelled question is ready", err)
	}
	late, err = f.Ask(t.Context(), q)
	must.Succeed(t, err)
	late.preparing <- struct{}{} // another goroutine is at it
	if err := late.Ready(stopped); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled while another one prepares: %v", err)
	}
}
