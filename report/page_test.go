package report

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

// hostile is a text that would be an element, end a script or a comment, end a line of a script,
// turn the direction of text, or be an escape sequence.
const hostile = "</script><script>alert(1)</script><!--<img src=x " +
	"onerror=alert(1)>\u2028\u202e\x1b[2J\"'`&"

// hostilePage has it wherever a text can come from a table.
func hostilePage() Page {
	a := &Answers{Kept: []string{hostile}, Asked: Asked{Target: hostile, Level: 0.9,
		Functionals: []string{hostile}, Events: []bool{false}, Posterior: "paper"}}
	a.Add(Row{At: 1, Kept: []string{hostile}, LabelLo: 0, LabelHi: 9, Label: 3, Mean: 4, PIT: 0.4,
		CRPS: 1, Quantiles: QuantileLevels(), Estimates: []Estimate{{Point: 4, Lo: 3, Hi: 5}}})
	p := Predictions{Title: hostile, Answers: a}.Page().With([]string{hostile},
		[][2]string{{hostile, hostile}})
	p.Lead = []string{hostile}
	p.Sections = append(p.Sections, Section{Title: hostile, Text: []string{hostile},
		Table: &Table{Names: 1, Header: []string{hostile, "n"}, Rows: [][]string{{hostile, "7"}}},
		Chart: Chart{Alt: hostile, Panels: [][]Panel{{{Title: hostile, X: hostile, Y: hostile,
			Names: []string{hostile}, Series: []Series{{Name: hostile, X: []float64{0},
				Y: []float64{math.NaN()}}}}}}}})
	return p
}

func written(t *testing.T, p Page) string {
	t.Helper()
	var out strings.Builder
	must.Succeed(t, p.Write(&out))
	return out.String()
}

// Whatever a table holds, the page has its own two scripts and nothing that is loaded.
func TestPageOfHostileTexts(t *testing.T) {
	text := written(t, hostilePage())
	for want, n := range map[string]int{"<script": 2, "</script": 2, "<style": 1, "<img": 0, "<!--": 0,
		"\u2028": 0, "\u202e": 0, "\x1b": 0, " src=": 0, " href=": 0, "http:": 0, "https:": 0,
		"url(": 0, "@import": 0, "eval(": 0, "innerHTML": 0, "outerHTML": 0, "insertAdjacent": 0} {
		got := strings.Count(text, want)
		if want == "http:" {
			got -= strings.Count(text, "http://www.w3.org/2000/svg") // a name, not an address
		}
		if want == " src=" {
			got -= strings.Count(text, "&lt;img src=") + strings.Count(text, `\u003cimg src=`)
		}
		if got != n {
			t.Errorf("%q is there %d times, want %d", want, got, n)
		}
	}
}

// Numbers of five digits or more have gaps that are no characters; names, versions and years have
// none.
func TestNumbersAreReadable(t *testing.T) {
	for text, want := range map[string]string{
		"(±24843; 1234567.25 <5)":      `(±24|843; 1|234|567.25 &lt;5)`,
		"-24843 in 2024, 10000.":       `-24|843 in 2024, 10|000.`,
		"a_12345 12345.csv 0.12345":    `a_12345 12345.csv 0.12345`,
		"arXiv 2505.11325v4 20240131T": `arXiv 2505.11325v4 20240131T`,
	} {
		got := regexp.MustCompile(`<span class="k">(\d+)</span>`).ReplaceAllString(
			string(readable(text)), "|$1")
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// The policy names the very style and script that the page has.
func TestPagePolicy(t *testing.T) {
	text := written(t, hostilePage())
	for _, tag := range []string{"style", "script"} {
		inside := regexp.MustCompile(`(?s)<` + tag + `>(.*?)</` + tag + `>`).FindStringSubmatch(text)
		if inside == nil {
			t.Fatalf("no <%s>", tag)
		}
		source := strings.ReplaceAll(hashSource(inside[1]), "'", "&#39;")
		source = strings.ReplaceAll(source, "+", "&#43;")
		must.Hold(t, "policy", text, tag+"-src "+source)
	}
	must.Hold(t, "policy", text, "default-src &#39;none&#39;")
}

// The script knows the marks by the numbers that they have here.
func TestPageKnowsTheMarks(t *testing.T) {
	for name, mark := range map[string]Mark{"LINE": Line, "DOTS": Dots, "BAND": Band, "BARS": Bars,
		"SPANS": Spans, "WIDE": Wide, "RINGS": Rings} {
		must.Hold(t, "marks", pageScript, fmt.Sprintf("%s = %d", name, mark))
	}
}

// pageRows reads the rows of a page as its script does.
func pageRows(t *testing.T, page string) (d struct {
	Target string
	Kept   []string
	Cells  [][]string
	At     []int64
	Est    [][][]*float64
	Label  [][]*float64
	Seen   []*float64
	Q      [][]float64
	Levels []float64
}) {
	t.Helper()
	_, text, ok := strings.Cut(page, `<script type="application/json" id="data">`)
	text, _, end := strings.Cut(text, "</script>")
	if !ok || !end {
		t.Fatal("the page has no block of numbers")
	}
	var data struct{ Rows json.RawMessage }
	must.Succeed(t, json.Unmarshal([]byte(text), &data))
	must.Succeed(t, json.Unmarshal(data.Rows, &d))
	return d
}

// The numbers of the page are those of the answers, and texts come back as they are shown.
func TestPageHoldsTheAnswers(t *testing.T) {
	a := &Answers{Kept: []string{"id"}, Asked: Asked{Target: "y", Level: 0.9,
		Functionals: []string{"mean", "p>2"}, Events: []bool{false, true}, Others: []string{"direct"}}}
	var rows []Row
	for i := range 50 {
		x := math.Exp(float64(i-25)) * math.Pi
		r := Row{At: int64(i + 1), Kept: []string{fmt.Sprintf("%d <b>", i)}, Label: math.NaN(),
			LabelLo: -x, LabelHi: x / 3, Mean: x, Quantiles: make([]float64, len(QuantileLevels()))}
		for k := range r.Quantiles {
			r.Quantiles[k] = x * float64(k)
		}
		if i%2 == 0 {
			r.Label, r.PIT = x/7, 0.5
		}
		r.Estimates = []Estimate{{x, x / 2, math.Inf(1), [][2]float64{{1, 2}}},
			{0.3, 0.2, 0.4, [][2]float64{{0, 1}}}}
		rows = append(rows, r)
		a.Add(r)
	}
	d := pageRows(t, written(t, Predictions{Title: "t", Answers: a}.Page()))
	near := func(what string, got *float64, want float64) {
		t.Helper()
		switch {
		case math.IsNaN(want) || math.IsInf(want, 0):
			if got != nil {
				t.Errorf("%s: %g, want null", what, *got)
			}
		case got == nil || math.Abs(*got-want) > 1e-6*math.Abs(want):
			t.Errorf("%s: %v, want %g", what, got, want)
		}
	}
	if d.Target != "y" || len(d.At) != len(rows) || len(d.Levels) != len(QuantileLevels()) {
		t.Fatalf("%+v", d)
	}
	for i, r := range rows {
		if d.At[i] != r.At || d.Cells[0][i] != r.Kept[0] {
			t.Errorf("row %d: %d %q", i, d.At[i], d.Cells[0][i])
		}
		near("mean", d.Est[0][0][i], r.Estimates[0].Point)
		near("mean_lo", d.Est[0][1][i], r.Estimates[0].Lo)
		near("mean_hi", d.Est[0][2][i], r.Estimates[0].Hi)
		near("mean_direct_hi", d.Est[0][4][i], 2)
		near("p>2_hi", d.Est[1][2][i], 0.4)
		near("pi_lo", d.Label[0][i], r.LabelLo)
		near("observed", d.Seen[i], r.Label)
		near("quantile", &d.Q[i][7], r.Quantiles[7])
	}
}

// Equal answers give equal pages, also where rows are drawn, whose number is bounded.
func TestPageIsDeterministic(t *testing.T) {
	page := func(seed uint64) string {
		a := &Answers{Seed: seed, Asked: Asked{Target: "y", Level: 0.9,
			Functionals: []string{"mean"}, Events: []bool{false}}}
		for i := range 3 * MaxListed {
			y := math.Sin(float64(i))
			a.Add(Row{At: int64(i + 1), LabelLo: y - 1, LabelHi: y + 1, Label: y, PIT: 0.5, Mean: y,
				Quantiles: QuantileLevels(), Estimates: []Estimate{{Point: y, Lo: y, Hi: y}}})
		}
		return written(t, Predictions{Title: "t", Answers: a}.Page())
	}
	first := page(1)
	if first != page(1) {
		t.Error("two pages of the same answers differ")
	}
	if first == page(2) {
		t.Error("the seed changes nothing")
	}
	d := pageRows(t, first)
	if len(d.At) != MaxListed {
		t.Fatalf("%d rows are listed", len(d.At))
	}
	late := 0
	for i, at := range d.At {
		if i > 0 && at <= d.At[i-1] {
			t.Fatalf("row %d follows row %d", at, d.At[i-1])
		}
		if at > MaxListed {
			late++
		}
	}
	if share := float64(late) / MaxListed; math.Abs(share-2.0/3) > 0.06 {
		t.Errorf("%.2f of the listed rows are among the last two thirds", share)
	}
	must.Hold(t, "a part", first, "2000 of 6000 rows, chosen at random")
}
