//go:build !race

package pfnamp

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/warning"
)

// fitLarge reads a table with a model that seems to read up to 80 rows.
func fitLarge(t *testing.T, name string, rows []map[string]any) *Fitted {
	t.Helper()
	m, manifest := opened(t, name), manifestOf(t, name)
	manifest.Limits.MaxRows = 80
	training := learn(t, tableOf(t, "large", rows), manifest, FitOptions{Target: "y", Seed: 2})
	if n := training.Data.X.Rows; n < 80 || n > 81 || len(training.Warnings) == 0 ||
		!slices.ContainsFunc(training.Warnings, func(w warning.Warning) bool {
			return w.Kind == warning.DrawnRows && strings.HasSuffix(w.Text, "trees read the others")
		}) {
		t.Fatalf("%d rows, %+v", training.Data.X.Rows, training.Warnings)
	}
	f, err := training.Fit(t.Context(), m)
	must.Succeed(t, err)
	t.Cleanup(func() { f.Close() })
	return f
}

// steps are rows whose target is known from a text, a number and a missing cell.
func steps(n int, label func(y float64) any) (rows []map[string]any) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range n {
		row := map[string]any{"kind": string(rune('a' + i%9)), "size": r.Float64(), "other": nil}
		y := float64(i * i % 9)
		if row["size"].(float64) > 0.5 {
			row["other"], y = r.Float64(), y+20
		}
		row["y"] = label(y + 0.1*r.NormFloat64())
		rows = append(rows, row)
	}
	return rows
}

// Trees read what the model does not. States, conformal intervals and the order of the rows are as
// without them.
func TestLargeTable(t *testing.T) {
	rows := steps(900, func(y float64) any { return y })
	f := fitLarge(t, "", rows)
	a := ask(t, prepare(t, f, Question{}), rows[:40])
	inside := 0
	if n := a.Tally.Known; n != 40 || !f.TellsRows() {
		t.Errorf("%d of 40 rows are known as those of the table", n)
	}
	for i, row := range rows[:40] {
		if in := a.Predictive[i]; in.Lo <= row["y"].(float64) && row["y"].(float64) <= in.Hi {
			inside++
		}
		if width := a.Predictive[i].Hi - a.Predictive[i].Lo; width > 8 {
			t.Errorf("row %d has an interval of width %.1f", i, width)
		}
	}
	if inside < 32 {
		t.Errorf("%d of 40 labels are inside", inside)
	}
	moved := slices.Clone(rows)
	rand.New(rand.NewPCG(7, 8)).Shuffle(len(moved), func(i, j int) {
		moved[i], moved[j] = moved[j], moved[i]
	})
	state := savedState(t, f)
	again, err := readState(t, state).Restore(f.Model())
	must.Succeed(t, err)
	defer again.Close()
	whole, _, known := again.WholeContext()
	if !known || whole.Trees == nil || again.TellsRows() {
		t.Error("a state lacks the trees of its rows, or tells them from rows of trees")
	}
	for name, other := range map[string]*Fitted{"moved": fitLarge(t, "", moved), "restored": again} {
		b := ask(t, prepare(t, other, Question{}), rows[:40])
		if fmt.Sprint(b.Posteriors, b.Predictive) != fmt.Sprint(a.Posteriors, a.Predictive) {
			t.Errorf("%s: other answers", name)
		}
	}
	if !bytes.Equal(savedState(t, again), state) {
		t.Error("another state")
	}
	conformal := prepare(t, f, Question{Predictive: ConformalInterval})
	defer conformal.Close()
	if in := ask(t, conformal, rows[:1]).Predictive[0]; in.Hi-in.Lo > 8 {
		t.Errorf("a conformal interval %+v", in)
	}
}

// A label of one row is among the classes, and unlikely.
func TestLargeClasses(t *testing.T) {
	rows := steps(900, func(y float64) any { return fmt.Sprintf("class %d", int(y+0.5)/10) })
	rows[17]["y"] = "rare"
	f := fitLarge(t, "classifier", rows)
	rare := slices.Index(f.Classes(), "rare")
	if len(f.Classes()) != 3 || rare < 0 {
		t.Fatalf("the classes are %q", f.Classes())
	}
	a := ask(t, prepare(t, f, Question{}), rows[:40])
	right := 0
	for i, row := range rows[:40] {
		if f.Classes()[a.Best[i]] == row["y"] {
			right++
		}
	}
	p := 0.0
	for _, e := range a.Posteriors[0].Estimates[rare] {
		p += e.Point / 40
	}
	if p > 0.05 {
		t.Errorf("the rare class has the probability %.3f", p)
	}
	if right < 37 {
		t.Errorf("%d of 40 classes are right", right)
	}
}
