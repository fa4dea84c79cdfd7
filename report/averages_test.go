package report

import (
	"slices"
	"strings"
	"testing"
)

// compared are rows with an average over all of them and differences.
func compared(differences ...Average) Predictions {
	all := Average{Name: "all", Rows: 9, Estimates: []Estimate{{Point: 12.345, Lo: 11, Hi: 14},
		{Point: 0.5, Lo: 0.00000026, Hi: 0.9}}}
	a := &Answers{Asked: Asked{Target: "y", Level: 0.9, Functionals: []string{"mean", "p>3"},
		Events: []bool{false, true}}}
	return Predictions{Answers: a, Averages: append([]Average{all}, differences...)}
}

// difference is one of the mean and of a probability.
func difference(plus, minus string, mean, event Estimate) Average {
	return Average{Name: plus + " - " + minus, Plus: plus, Minus: minus,
		Estimates: []Estimate{mean, event}, Above: []float64{0.98765, 0.000000263}}
}

// What was asked of several rows comes first, in words, and then as a table.
func TestAveragesComeFirst(t *testing.T) {
	p := compared(difference("A", "B", Estimate{Point: 3.1, Lo: 1, Hi: 5.2},
		Estimate{Point: -0.2, Lo: -0.3, Hi: 0.1})).Page()
	want := []string{"A is above B by 3.1 in the mean (90 % interval 1.0 to 5.2; probability 0.988).",
		"A shows no clear difference from B in p>3: -0.2 (90 % interval -0.3 to 0.1; " +
			"probability <0.001 that it is above 0)."}
	if len(p.Verdict) < 3 || !slices.Equal(p.Verdict[:2], want) {
		t.Errorf("verdict %q", p.Verdict)
	}
	rows := p.Sections[0].Table.Rows
	if len(rows) != 4 ||
		!slices.Equal(rows[1], []string{"all", "p>3", "9", "0.5", "<0.001", "0.9", ""}) ||
		!slices.Equal(rows[2], []string{"A - B", "mean", "", "3.1", "1.0", "5.2", "0.988"}) ||
		rows[3][6] != "<0.001" {
		t.Errorf("table %q", rows)
	}
	first := "<p>" + string(readable(want[0])) + "</p>"
	if at := strings.Index(written(t, p), first); at < 0 || at > strings.Index(written(t, p), "<h2>") {
		t.Error("the answer comes after a section")
	}
}

// The sentence about a surely negative difference says "below", with the probability of that. A
// difference that rounds to 0 is not called equal where its interval is wide.
func TestDifferenceBelow(t *testing.T) {
	for above, c := range map[float64]struct {
		e    Estimate
		want string
	}{
		0.01: {Estimate{Point: -3.1, Lo: -5.2, Hi: -1},
			"A is below B by 3.1 in the mean (90 % interval 1.0 to 5.2; probability 0.99)."},
		0.5: {Estimate{Point: -0.001, Lo: -1.24, Hi: 1.3}, "A shows no clear difference from B in the " +
			"mean: 0.0 (90 % interval -1.2 to 1.3; probability 0.5 that it is above 0)."},
	} {
		v := difference("A", "B", c.e, Estimate{})
		v.Above = []float64{above, 0}
		if got := compared().Answers.Sentences([]Average{v})[0]; got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Without differences the page states the average over all rows. It shows a part of many
// differences.
func TestAveragesInPart(t *testing.T) {
	p := compared().Page()
	if want := "The mean, averaged over 9 rows, is 12.3 (90 % interval " +
		"11.0 to 14.0)."; p.Verdict[0] != want {
		t.Errorf("%q, want %q", p.Verdict[0], want)
	}
	var many []Average
	for range 150 {
		many = append(many, difference("A", "B", Estimate{}, Estimate{}))
	}
	p = compared(many...).Page()
	if p.Verdict[0] != "A and B do not differ in the mean (90 % interval 0 to 0)." ||
		!strings.Contains(p.Verdict[maxAverageSentences], "lists the others") {
		t.Errorf("%q", p.Verdict[:maxAverageSentences+1])
	}
	if s := p.Sections[0]; len(s.Table.Rows) != maxAverageRows ||
		!strings.Contains(s.Text[1], "first 200") {
		t.Errorf("%d lines: %q", len(s.Table.Rows), s.Text)
	}
}

// A share of draws that all agree is the bound that so many draws can tell.
func TestChanceOfDraws(t *testing.T) {
	for _, c := range []struct {
		above float64
		draws int
		want  string
	}{
		{1, 0, "1"}, {0, 0, "0"}, {1, 50, ">0.98"}, {0, 50, "<0.02"}, {1, 400, ">0.997"}, {0, 400,
			"<0.003"},
		{1, 5000, ">0.999"}, {0, 5000, "<0.001"}, {0.98, 50, "0.98"}, {0.99990, 5000, ">0.999"},
	} {
		if got := (Average{Above: []float64{c.above}, Draws: c.draws}).chanceAbove(0); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// Probabilities near 0 and 1 are bounds, and numbers of the target keep their three digits.
func TestChance(t *testing.T) {
	for p, want := range map[float64]string{0: "0", 1: "1", 2.63e-7: "<0.001", 0.9999: ">0.999",
		0.001: "0.001", 0.98765: "0.988", 0.5: "0.5"} {
		if got := Chance(p); got != want {
			t.Errorf("%g is %q, want %q", p, got, want)
		}
	}
	a := Asked{Events: []bool{false, true}}
	if a.figure(0, 0.00043) != "0.00043" || a.figure(1, 0.00043) != "<0.001" ||
		a.figure(1, -0.00043) != ">-0.001" || a.figure(1, -0.0185) != "-0.019" ||
		a.figure(1, 0.99988) != ">0.999" ||
		within(a.figure(1, 1e-7)) != "less than ±0.001" {
		t.Errorf("%s %s", a.figure(0, 0.00043), a.figure(1, -0.00043))
	}
}
