package pfnamp

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/tabular"
)

// What labels show of the values that they can take, and what they do not.
func TestSupportOf(t *testing.T) {
	source := rand.NewPCG(4, 2)
	r := rand.New(source)
	whole := func(f func() float64) func() float64 { return func() float64 { return math.Round(f()) } }
	normal := func(mu, sd float64) func() float64 {
		return func() float64 { return mu + sd*r.NormFloat64() }
	}
	amount := func() float64 { return math.Exp(r.NormFloat64()) }
	for _, c := range []struct {
		what, want string
		n          int
		label      func() float64
	}{
		{"counts", "whole,0:", 60, distuv.Poisson{Lambda: 2, Src: source}.Rand},
		{"counts without 0", "whole,0:", 60, func() float64 {
			return 1 + distuv.Poisson{Lambda: 3, Src: source}.Rand()
		}},
		{"large counts", "whole,0:", 150, func() float64 {
			return distuv.Poisson{Lambda: math.Exp(3 + r.NormFloat64()/2), Src: source}.Rand()
		}},
		{"many of a few", "whole,0:", 200, func() float64 {
			return math.Floor(math.Exp(6*r.Float64())) * float64(r.IntN(2))
		}},
		{"yes or no", "whole,0:1", 30, func() float64 { return float64(r.IntN(2)) }},
		{"grades", "whole,1:5", 150, func() float64 { return 1 + float64(r.IntN(5)) }},
		{"temperatures in whole degrees", "whole", 400, whole(normal(60, 12))},
		{"whole numbers below 0", "whole", 200, whole(normal(0, 9))},
		{"too large a range", "any", 200, whole(normal(5e4, 1e4))},
		{"too few", "any", 19, func() float64 { return float64(r.IntN(2)) }},
		{"shares", "0:1", 100, distuv.Beta{Alpha: 1.2, Beta: 1.2, Src: source}.Rand},
		{"small shares", "0:", 100, distuv.Beta{Alpha: 1.2, Beta: 20, Src: source}.Rand},
		{"large shares", ":1", 100, distuv.Beta{Alpha: 30, Beta: 1.2, Src: source}.Rand},
		{"rain", "0:", 100, func() float64 { return max(0, normal(0, 3)()) }},
		{"per cent with full ones", "0:100", 100, func() float64 {
			return max(0, min(100, normal(50, 60)()))
		}},
		{"amounts", "0:", 200, amount},
		{"an index below 100", "any", 60, func() float64 { return 70 + 29.9*r.Float64() }},
		{"numbers", "any", 200, normal(0, 1)},
		{"numbers far above 0", "any", 200, normal(20, 1)},
		{"one value", "any", 100, func() float64 { return 0 }},
	} {
		y := make([]float64, c.n)
		for i := range y {
			y[i] = c.label()
		}
		if got := SupportOf(y); got.String() != c.want {
			t.Errorf("%s: %v, want %s", c.what, got, c.want)
		}
	}
}

// A support is recognised, or taken from the options, and refused where a label contradicts it.
func TestLearnSupport(t *testing.T) {
	var rows []map[string]any
	for i := range 40 {
		rows = append(rows, map[string]any{"x": float64(i), "y": float64(i % 4), "z": "a"})
	}
	table, err := Table("rows", rows)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		asked *amp.Support
		want  string
		noted bool
	}{
		{nil, "whole,0:3", true},
		{&amp.Support{}, "any", false},
		{&amp.Support{HasMin: true, Min: -1}, "-1:", false},
	} {
		learned, err := Learn(table, models.Manifest{}, FitOptions{Target: "y", Values: c.asked})
		if err != nil {
			t.Fatal(err)
		}
		noted := false
		for _, w := range learned.Warnings {
			possible, ok := w.(PossibleLabels)
			noted = noted || ok && possible.Support == learned.Support
		}
		if learned.Support.String() != c.want || noted != c.noted {
			t.Errorf("%v: %v, noted %v", c.asked, learned.Support, noted)
		}
	}
	wrong := &amp.Support{HasMax: true, Max: 2}
	_, err = Learn(table, models.Manifest{}, FitOptions{Target: "y", Values: wrong})
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
	table, err := Table("rows", rows)
	if err != nil {
		t.Fatal(err)
	}
	fitted, err := Fit(t.Context(), m, table, FitOptions{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	defer fitted.Close()
	if got := fitted.Support().String(); got != "whole,0:" {
		t.Fatalf("support %s", got)
	}
	var saved bytes.Buffer
	if err := fitted.Save(&saved, "test"); err != nil {
		t.Fatal(err)
	}
	state, err := ReadState(&saved, "state")
	if err != nil {
		t.Fatal(err)
	}
	restored, err := state.Restore(m)
	if err != nil {
		t.Fatal(err)
	}
	defer restored.Close()
	for _, f := range []*Fitted{fitted, restored} {
		p, err := f.Prepare(t.Context(), Question{Chains: 50, Functionals: []amp.Functional{
			amp.Mean{}, amp.Quantile{Level: 0.3}, amp.Above(0), amp.Above(0.5), amp.AtMost(-1)}})
		if err != nil {
			t.Fatal(err)
		}
		a, err := p.Rows(t.Context(), rows[:10])
		if err != nil {
			t.Fatal(err)
		}
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
			if any, half := a.Posteriors[0].Estimates[2][i], a.Posteriors[0].Estimates[3][i]; any.Point != half.Point {
				t.Errorf("row %d: P(y > 0) is %v and P(y > 0.5) is %v", i, any, half)
			}
			if below := a.Posteriors[0].Estimates[4][i]; below.Point != 0 || below.Hi != 0 {
				t.Errorf("row %d: P(y <= -1) is %v", i, below)
			}
		}
	}
}
