package report

import (
	"image/png"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/internal/must"
)

// kitchen has every mark and guide.
func kitchen() Chart {
	x, y := []float64{50, 100, 800}, []float64{0.8, math.NaN(), 0.95}
	return Chart{Panels: [][]Panel{{
		{Title: "left", LogX: true, Target: []float64{0.9}, Range: []float64{0, 1}, Series: []Series{
			{Name: "lines", X: x, Y: y, Err: []float64{0.1, 0.1, math.NaN()}},
			{Name: "dots", Mark: Dots, X: x, Y: y},
			{Name: "nothing", X: x[:1], Y: y[1:2]},
		}},
		{Title: "right", Diagonal: true, Series: []Series{
			{Name: "band", Mark: Band, X: []float64{0, 1}, Lo: []float64{0, 0}, Hi: []float64{1, 2}},
			{Name: "bars", Mark: Bars, X: []float64{0.25, 0.75}, Y: []float64{0.5, 1}},
		}},
	}}}
}

// drawn is a chart or a figure as a file.
func drawn(t *testing.T, c interface{ Write(io.Writer, string) error }, format string) string {
	t.Helper()
	var file strings.Builder
	must.Succeed(t, c.Write(&file, format))
	return file.String()
}

func TestChartIsDeterministicAndDecodes(t *testing.T) {
	first := drawn(t, kitchen().Sized(900, 500), "png")
	if drawn(t, kitchen().Sized(900, 500), "png") != first {
		t.Error("two drawings of one chart differ")
	}
	img, err := png.Decode(strings.NewReader(first))
	must.Succeed(t, err)
	if size := img.Bounds().Size(); size.X != 900 || size.Y != 500 {
		t.Errorf("picture has %v pixels, asked for are 900 x 500", size)
	}
	img, err = png.Decode(strings.NewReader(drawn(t, kitchen().Sized(900, 500).Sized(0, 0), "png")))
	must.Succeed(t, err)
	if size := img.Bounds().Size(); size.X != 1800 || size.Y != 1000 {
		t.Errorf("where no size is asked for, the picture has %v pixels, not twice as many", size)
	}
	svg := drawn(t, kitchen(), "svg")
	must.Hold(t, "drawing", svg, ">left<", ">right<", ">lines<", ">band<", ">800<")
}

// Names of 500 characters leave the axes where they are.
func TestChartShortensNames(t *testing.T) {
	long := strings.Repeat("long name ", 50)
	c := Chart{Panels: [][]Panel{{{X: long, Y: long, Title: long, Names: []string{long, long},
		Series: []Series{{Name: "a", X: Numbers{0, 1}, Y: Numbers{0, 1}}}}}}}
	svg := drawn(t, c, "svg")
	if strings.Contains(svg, long[:90]) || strings.Count(svg, "…") != 5 {
		t.Errorf("%d names are shortened, want 5", strings.Count(svg, "…"))
	}
}

// Every text of an SVG file has the width that was measured, so a reader's own font moves nothing
// into the next entry of the legend; and the file names fonts of the same widths.
func TestChartTextsKeepTheirWidth(t *testing.T) {
	c := kitchen()
	c.Panels[0][0].Title = "a <text of \"the\" target>"
	svg := drawn(t, c, "svg")
	texts := strings.Count(svg, "<text ")
	if texts < 10 || strings.Count(svg, "<text textLength=") != texts ||
		strings.Count(svg, "Liberation Sans,Arimo,Arial,Helvetica,sans-serif") != texts {
		t.Errorf("not every one of %d texts has a width and fonts:\n%.900s", texts, svg)
	}
	must.Hold(t, "title", svg, "a &lt;text of &#34;the&#34; target&gt;")
}

// Names are written upright where there is room, and at a slant below their marks where not.
func TestChartSlantsLongNames(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  float64
	}{
		{[]string{"no", "yes"}, 0},
		{[]string{"a rather long name of a town", "another one", "one more", "York"}, math.Pi / 6},
		{strings.Fields(strings.Repeat("row ", 30)), math.Pi / 2},
	} {
		panel := Panel{Names: c.names}
		p, err := panel.plot(nil, 20)
		must.Succeed(t, err)
		if p.X.Tick.Label.Rotation != c.want {
			t.Errorf("%d names: rotation %v, want %v", len(c.names), p.X.Tick.Label.Rotation, c.want)
		}
		if c.want == 0 {
			continue
		}
		style := p.X.Tick.Label // gonum draws names from so far above the lower ends of marks
		above := style.FontExtents().Descent
		for _, tick := range p.X.Tick.Marker.Ticks(0, 1) {
			seen := strings.TrimRight(tick.Label, "\u00a0")
			if room := style.Width(tick.Label) - style.Width(seen); room < above {
				t.Errorf("%q ends %v from its mark, and lies over it by %v", seen, room, above)
			}
		}
	}
}

// gridResults are the results of two methods at two sizes.
func gridResults() []evaluate.Result {
	var all []evaluate.Result
	for _, n := range []int{50, 800} {
		for _, m := range []string{"optimal", "paper"} {
			for _, metric := range []string{"coverage", "width"} {
				all = append(all, evaluate.Result{
					Params: []evaluate.Param{{Name: "d", Value: 4}, {Name: "J", Value: 2},
						{Name: "n", Value: n}},
					Measure: evaluate.Measure{Method: m, Functional: "q0.5", Metric: metric,
						Value: 0.7, SE: 0.01, N: 20}})
			}
		}
	}
	return all
}

func TestTables(t *testing.T) {
	table := IntervalTable(gridResults())
	if len(table.Rows) != 4 {
		t.Fatalf("%d rows", len(table.Rows))
	}
	want := []string{"d=4 J=2 n=50", "q0.5", "optimal", "0.70 ± 0.02", "0.70 ± 0.02", ""}
	for i, cell := range table.Rows[0] {
		if cell != want[i] {
			t.Errorf("column %d: %q, want %q", i, cell, want[i])
		}
	}
}

func TestRowsFigure(t *testing.T) {
	numbers := []evaluate.Number{1, 2}
	o := evaluate.Outcome{Curves: []evaluate.Curve{
		{Name: evaluate.CurvePoint, X: numbers, Y: numbers},
		{Name: evaluate.MethodPPD, X: numbers, Lo: numbers, Hi: numbers},
		{Name: evaluate.CurveLabel, X: numbers, Y: []evaluate.Number{9, 8}},
		{Name: "paper", X: numbers, Lo: numbers, Hi: numbers},
		{Name: "limit", X: numbers, Lo: numbers, Hi: numbers},
		{Name: "direct", X: numbers, Lo: numbers, Hi: numbers},
	}}
	asked := Figure{Asked: Asked{Functionals: []string{"mean"}, Events: []bool{false}, Level: 0.9}}
	f, ok := RowsFigure(o, []string{"paper", "limit", "direct"}, asked)
	if !ok || len(f.Rows) != 2 || f.Rows[1].Estimates[0].Point != 2 || f.Rows[1].Label != 8 {
		t.Errorf("%+v %v", f, ok)
	}
	if f.Posterior != "direct" || !slices.Equal(f.Others, []string{"paper", "limit"}) {
		t.Errorf("drawn are %q and %q, of which the outcome has intervals", f.Posterior, f.Others)
	}
	if _, ok := RowsFigure(o, []string{"bootstrap"}, asked); ok {
		t.Error("a method without intervals was drawn")
	}
}

func TestMarkdown(t *testing.T) {
	page := Page{Title: "study", Lead: []string{"how"}, Sections: []Section{
		{Title: "grid", Table: IntervalTable(gridResults())}}}
	var out strings.Builder
	must.Succeed(t, page.WriteTables(&out))
	must.Hold(t, "tables", out.String(),
		"# study\n\nhow\n", "## grid\n\n| data | functional | method |",
		"| --- | --- | --- | ---: | ---: |", "| d=4 J=2 n=800 | q0.5 | paper | 0.70 ± 0.02 |")
}
