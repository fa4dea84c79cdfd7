package pfnamp

import (
	"errors"
	"math"
	"path/filepath"
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/tabular"
	"github.com/pfnamp/pfnamp/warning"
)

// A support is recognised, or taken from the options, and refused where a label contradicts it.
func TestLearnSupport(t *testing.T) {
	var rows []map[string]any
	for i := range 40 {
		rows = append(rows, map[string]any{"x": float64(i), "y": float64(i % 4), "z": "a"})
	}
	table := tableOf(t, "rows", rows)
	for _, c := range []struct {
		asked *amp.Support
		want  string
		noted bool
	}{
		{nil, "whole,0:3", true},
		{&amp.Support{}, "any", false},
		{&amp.Support{HasMin: true, Min: -1}, "-1:", false},
	} {
		learned := learn(t, table, models.Manifest{}, FitOptions{Target: "y", Values: c.asked})
		noted := false
		for _, w := range learned.Warnings {
			noted = noted || w.Text == warning.PossibleLabelsOf(learned.Support).Text
		}
		if learned.Support.String() != c.want || noted != c.noted {
			t.Errorf("%v: %v, noted %v", c.asked, learned.Support, noted)
		}
	}
	wrong := &amp.Support{HasMax: true, Max: 2}
	_, err := Learn(table, models.Manifest{}, FitOptions{Target: "y", Values: wrong})
	if told := (*tabular.Error)(nil); !errors.As(err, &told) || told.Column != "y" {
		t.Errorf("labels above the range: %v", err)
	}
}

// Counts: every output keeps to whole numbers from 0 on, also of a restored state.
func TestPredictionsKeepToTheSupport(t *testing.T) {
	m := opened(t, filepath.Join("testdata", "tiny"))
	var rows []map[string]any
	for i := range 60 {
		rows = append(rows, map[string]any{"x": float64(i % 7), "y": float64(i*i%3 + 3*(i/59))})
	}
	fitted := fitRows(t, m, "rows", rows, FitOptions{Target: "y"})
	if got := fitted.Support().String(); got != "whole,0:" {
		t.Fatalf("support %s", got)
	}
	restored := again(t, fitted, m)
	for _, f := range []*Fitted{fitted, restored} {
		p := prepare(t, f, Question{Chains: 50, Functionals: []amp.Functional{
			amp.Mean{}, amp.Quantile{Level: 0.3}, amp.Above(0), amp.Above(0.5), amp.AtMost(-1)}})
		a := ask(t, p, rows[:10])
		for i := range a.Rows() {
			in, q := a.Predictive[i], a.Posteriors[0].Estimates[1][i]
			for _, v := range []float64{in.Lo, in.Hi, q.Point, q.Lo, q.Hi} {
				if v < 0 || v != math.Trunc(v) {
					t.Errorf("row %d: %v is no count: %v, %v", i, v, in, q)
				}
			}
			if mean := a.Posteriors[0].Estimates[0][i]; mean.Lo < 0 || mean.Point < 0 {
				t.Errorf("row %d: mean %v", i, mean)
			}
			any, half := a.Posteriors[0].Estimates[2][i], a.Posteriors[0].Estimates[3][i]
			if any.Point != half.Point {
				t.Errorf("row %d: P(y > 0) is %v and P(y > 0.5) is %v", i, any, half)
			}
			if below := a.Posteriors[0].Estimates[4][i]; below.Point != 0 || below.Hi != 0 {
				t.Errorf("row %d: P(y <= -1) is %v", i, below)
			}
		}
	}
}
