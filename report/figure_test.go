package report

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

// exampleFigure is about a mean and an event.
func exampleFigure(n int) Figure {
	f := Figure{Asked: Asked{Functionals: []string{"p>2", "mean"}, Events: []bool{true, false},
		Target: "y", Level: 0.9, Posterior: "paper"}}
	for i := range n {
		y := 10 * math.Sin(float64(7*i))
		p := 0.5 + y/25
		f.Rows = append(f.Rows, Row{At: int64(i + 1), LabelLo: y - 6, LabelHi: y + 7,
			Label: math.NaN(), Estimates: []Estimate{{Point: p, Lo: p - 0.1, Hi: p + 0.1},
				{Point: y, Lo: y - 1, Hi: y + 2}}})
	}
	return f
}

// Both intervals are named, probabilities have an axis of their own, rows are named by number, and
// what was left out is said.
func TestFigureSaysWhatItShows(t *testing.T) {
	f := exampleFigure(500)
	f.Rows[3].Label = 4
	svg := drawn(t, f, "svg")
	must.Hold(t, "drawing", svg,
		">mean<", ">p&gt;2<", "estimate with 90 % credible interval<",
		"90 % predictive interval of the label<", ">probability<",
		"sorted by mean; 200 of 500 rows, evenly")
	c := f.chart()
	if len(c.Panels) != 2 {
		t.Fatalf("%d panels", len(c.Panels))
	}
	if r := c.Panels[1][0].Range; r[0] > 0 || r[1] < 1 {
		t.Errorf("probabilities are drawn on %v", r)
	}
	f.Rows = f.Rows[:5]
	names := f.chart().Panels[0][0].Names
	if got := fmt.Sprint(names); got != "[1 5 2 4 3]" {
		t.Errorf("rows %s, sorted by mean", got)
	}
	must.Hold(t, "names", fmt.Sprint(f.chart().names()), "observed label")
}

// A figure of several posteriors names all.
func TestFigureOfTwoPosteriors(t *testing.T) {
	f := exampleFigure(20)
	one := drawn(t, f, "svg")
	f.Others = []string{"direct"}
	for i := range f.Rows {
		for k := range f.Rows[i].Estimates {
			f.Rows[i].Estimates[k].Others = [][2]float64{{0, 1}}
		}
	}
	two := drawn(t, f, "svg")
	for _, want := range []string{">mean, paper<", ">mean, direct<", ">p&gt;2, direct<"} {
		if strings.Contains(one, want) || !strings.Contains(two, want) {
			t.Errorf("%q must be said of two posteriors, and only of two", want)
		}
	}
	must.Hold(t, "both in one panel", fmt.Sprint(f.chart().names()), "credible interval, paper")
}

func TestFigureRefuses(t *testing.T) {
	f := exampleFigure(0)
	if err := f.Write(&bytes.Buffer{}, "png"); err == nil {
		t.Error("a figure without rows was drawn")
	}
	f = exampleFigure(1)
	if err := f.Write(&bytes.Buffer{}, "gif"); err == nil {
		t.Error("an unknown format was drawn")
	}
	if err := f.Write(&bytes.Buffer{}, "svg"); err != nil {
		t.Errorf("one row: %v", err)
	}
}

func TestThinKeepsTheExtremes(t *testing.T) {
	all := exampleFigure(3000).Rows
	rows := thin(sorted(all, 1), 200)
	if len(rows) != 200 {
		t.Fatalf("%d rows drawn, want 200", len(rows))
	}
	lowest, highest := math.Inf(1), math.Inf(-1)
	for _, r := range all {
		lowest, highest = min(lowest, r.Estimates[1].Point), max(highest, r.Estimates[1].Point)
	}
	first, last := rows[0].Estimates[1].Point, rows[199].Estimates[1].Point
	if first != lowest || last != highest {
		t.Errorf("extremes %g, %g became %g, %g", lowest, highest, first, last)
	}
}

// Axes are marked at a handful of round numbers.
func TestRoundTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{0, 1, "0 0.2 0.4 0.6 0.8 1"},
		{-0.03, 1.03, "0 0.2 0.4 0.6 0.8 1"},
		{37.2, 333, "50 100 150 200 250 300"},
		{-2.1e9, 3.9e9, "-2e+09 -1e+09 0 1e+09 2e+09 3e+09"},
		{0.00012, 0.00018, "0.00012 0.00013 0.00014 0.00015 0.00016 0.00017 0.00018"},
	} {
		var labels []string
		for _, tick := range roundTicks(6).Ticks(c.lo, c.hi) {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("[%g, %g]: %s, want %s", c.lo, c.hi, got, c.want)
		}
		if n := len(labels); n < 4 || n > 9 {
			t.Errorf("[%g, %g]: %d ticks", c.lo, c.hi, n)
		}
	}
}

// Values that are large and hardly differ are drawn.
func TestFigureOfLargeConstants(t *testing.T) {
	for _, c := range []struct{ at, step float64 }{{1e17, 0}, {1e17, 16}, {-1e17, 1e5}, {1e300, 0},
		{7, 0}, {-1e308, 1e308}, {-math.MaxFloat64, math.MaxFloat64}, {math.MaxFloat64, 0},
		{5e-324, 5e-324}} {
		f := exampleFigure(3)
		for i := range f.Rows {
			y := c.at + c.step*float64(i)
			f.Rows[i].LabelLo, f.Rows[i].LabelHi = y, y
			f.Rows[i].Estimates[1] = Estimate{Point: y, Lo: y, Hi: y}
		}
		for _, format := range []string{"png", "svg"} {
			if err := f.Write(&bytes.Buffer{}, format); err != nil {
				t.Errorf("%g and steps of %g: %v", c.at, c.step, err)
			}
		}
		if r := f.chart().Panels[0][0].Range; !(r[0] < r[1]) {
			t.Errorf("%g and steps of %g: the range is %v", c.at, c.step, r)
		}
	}
	if ticks := roundTicks(6).Ticks(1e17, 1e17+32); len(ticks) > 70 {
		t.Errorf("%d ticks", len(ticks))
	}
}

// Columns of widths that differ by more than a number of columns has digits are counted.
func TestHistogramOfTinyWidths(t *testing.T) {
	p := histogram("width", []string{"a"}, [][]float64{{1e-320, 1e-20, 0.5}})
	if y := p.Series[0].Y; math.Abs(y[0]+y[widthBins-1]-1) > 1e-12 {
		t.Errorf("shares %v", y)
	}
}

// Classes have a line of panels each, the most frequent first, with labels that are 1 where they
// are the class; of two classes one is drawn, and of many four.
func TestFigureOfClasses(t *testing.T) {
	f := Figure{Asked: Asked{Target: "y", Level: 0.9, Posterior: "direct"}}
	for k := range 6 {
		f.Classes = append(f.Classes, fmt.Sprint(k))
		f.Functionals, f.Events = append(f.Functionals, fmt.Sprint("p=", k)), append(f.Events, true)
	}
	for i := range 12 {
		r := Row{At: int64(i + 1), LabelLo: math.NaN(), LabelHi: math.NaN(), Label: float64(i % 2),
			Best: []int{5, 5, 5, 2, 2, 3}[i%6]}
		for range 6 {
			r.Estimates = append(r.Estimates, Estimate{Point: float64(i) / 12, Lo: 0, Hi: 1})
		}
		f.Rows = append(f.Rows, r)
	}
	c := f.chart()
	if len(c.Panels) != 4 || c.Panels[0][0].Title != "p=5" || c.Panels[1][0].Title != "p=2" {
		t.Fatalf("%d panels, the first of %q", len(c.Panels), c.Panels[0][0].Title)
	}
	if x := c.Panels[3][0].X; x != "row numbers, sorted by p=5; the 4 most frequent of 6 classes" {
		t.Errorf("the axis says %q", x)
	}
	if last := c.Panels[3][0]; last.Title != "p=0" {
		t.Errorf("the last class is %q", last.Title)
	} else if labels := last.Series[len(last.Series)-1]; labels.Y[0] != 1 || labels.Y[1] != 0 {
		t.Errorf("labels of class 0 are drawn at %v", labels.Y)
	}
	f.Classes, f.Functionals, f.Events = f.Classes[:2], f.Functionals[:2], f.Events[:2]
	for i := range f.Rows {
		f.Rows[i].Best, f.Rows[i].Estimates = 1, f.Rows[i].Estimates[:2]
	}
	if c := f.chart(); len(c.Panels) != 1 || c.Panels[0][0].Title != "p=1" {
		t.Errorf("two classes have %d panels", len(c.Panels))
	}
}
