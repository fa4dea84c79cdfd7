package report

import (
	"math"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

// answered has so many labelled rows; covered of their labels lie in the predictive interval.
func answered(rows, labelled, covered int) *Answers {
	a := &Answers{Asked: Asked{Target: "y", Level: 0.9, Events: []bool{false, true, true},
		Functionals: []string{"mean", "p>3", "p<8"}}}
	for i := range rows {
		r := Row{At: int64(i + 1), LabelLo: -10, LabelHi: 10, Label: math.NaN(), Mean: 1,
			Estimates: []Estimate{{Point: 1, Lo: -1, Hi: 3}, {Point: 0.5, Lo: 0.2, Hi: 0.6},
				{Point: 0.5, Lo: 0.05, Hi: 0.95}}}
		switch {
		case i < covered:
			r.Label, r.PIT, r.CRPS = float64(i%7), 0.5, 1
		case i < labelled:
			r.Label, r.PIT, r.CRPS = 11, 0.999, 3
		}
		a.Add(r)
	}
	return a
}

// The verdict speaks of what was counted, and not of more.
func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		rows, labelled, covered int
		want                    string
	}{
		{0, 0, 0, "has no rows"},
		{9, 0, 0, "has no labels of y, so this page cannot check the predictions"},
		{9, 0, 0, "The mean is known to ±2 in a typical row, a single label to ±10: half the median " +
			"widths of the 90 % credible and predictive intervals."},
		{9, 0, 0, "p>3 is known to ±0.2 in a typical row (half the median width of its 90 % credible " +
			"interval)."},
		{9, 0, 0, "p<8 is known to ±0.45 in a typical row (half the median width of its 90 % credible " +
			"interval). This interval spans nearly all of 0 to 1, so it says little."},
		{137, 137, 125, "The 90 % predictive intervals contain 125 of the 137 labels in the query table" +
			" (91.2 %; 95 % interval 85 % to 95.4 %): no sign of miscalibration"},
		{100, 60, 40, "contain 40 of the 60 labels in the query table (67 %; 95 % interval " +
			"53 % to 78 %): too narrow"},
		{400, 400, 400, "400 of the 400 labels in the query table (100 %; 95 % interval " +
			"99.1 % to 100 %): wider than necessary"},
		{5, 5, 5, "(100 %; 95 % interval 48 % to 100 %): too few labels to say more"},
		{1, 1, 1, "1 of the 1 label in the query table"},
	} {
		text := strings.Join(answered(c.rows, c.labelled, c.covered).Verdict(), "\n")
		must.Hold(t, c, text, c.want)
	}
}

// Levels have all their digits, and none that only the product with 100 has.
func TestLevel(t *testing.T) {
	for level, want := range map[float64]string{0.9: "90 %", 0.55: "55 %", 0.57: "57 %",
		0.855: "85.5 %", 0.999: "99.9 %", 0.99999: "99.999 %", 1 - 1e-12: "99.9999999999 %"} {
		if got := Level(level); got != want {
			t.Errorf("%v: %s, want %s", level, got, want)
		}
	}
}

// Scores are those of the labels: Σ(y-1)² and R² of the labels 0, 1, 2.
func TestVerdictScores(t *testing.T) {
	text := strings.Join(answered(3, 3, 3).Verdict(), "\n")
	must.Hold(t, "verdict", text,
		"by 0.816 (root mean square error, in units of y; R²\u00a0=\u00a00.00; CRPS, the error of the "+
			"whole distribution, 1).",
		"predicting the mean of these labels for every row misses by 0.816, so the features do not help")
}

// The spread of a single label is not known, so that its mean is no baseline.
func TestVerdictOfOneLabel(t *testing.T) {
	if text := strings.Join(answered(1, 1, 1).Verdict(), "\n"); strings.Contains(text, "Baseline") {
		t.Errorf("a baseline in\n%s", text)
	}
}

// Rows that the model has read are no test of it.
func TestVerdictOfRowsThatWereRead(t *testing.T) {
	a := answered(9, 0, 0)
	a.Read = 9
	text := strings.Join(a.Verdict(), "\n")
	if want := "All 9 rows with a label of y are also rows of the " +
		"training table"; !strings.Contains(text, want) {
		t.Errorf("want %q in\n%s", want, text)
	}
}

// Of classes the verdict compares how often the most probable one is right with how sure it was.
func TestVerdictOfClasses(t *testing.T) {
	a := &Answers{Asked: Asked{Target: "y", Level: 0.9, Functionals: []string{"p=no", "p=yes"},
		Events: []bool{true, true}, Classes: []string{"no", "yes"}}}
	for i := range 100 {
		r := Row{At: int64(i + 1), Best: 1, Label: 1,
			Estimates: []Estimate{{Point: 0.2}, {Point: 0.8, Lo: 0.7, Hi: 0.9}}}
		switch {
		case i == 0:
			r.Label = -1
		case i < 50:
			r.Label = 0
		case i == 99:
			r.Label = math.NaN()
		}
		a.Add(r)
	}
	text := strings.Join(a.Verdict(), "\n")
	// 49 labels yes, 49 no and one of neither: (49·0.08 + 49·1.28 + 1.68)/99
	must.Hold(t, "verdict", text, "known to ±0.1 ", "right in 49 of the 99 labelled rows",
		"Its probability is 80 % on average: the model is overconfident",
		"predicting \"no\" for every row is right in 49 %. The most probable class is no better",
		"Brier score is 0.69 ",
		"Rows whose label does not occur in the training table: 1. They count as wrong.")
}

func TestShort(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 67.89: "67.9", 0.012345: "0.0123", 1234.6: "1235",
		123456: "123456", 2.5e9: "2.5e+09", 1.2e-7: "1.2e-07", -3: "-3"} {
		if got := Number(x); got != want {
			t.Errorf("%g: %s, want %s", x, got, want)
		}
	}
}
