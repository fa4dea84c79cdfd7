package check

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/models"
)

// Sentences have the figures, and a verdict that fits them.
func TestSentences(t *testing.T) {
	moved := Report{File: "b.csv", Rows: 50, Context: 100, P: 0.0002, AUC: 0.8, AUCLo: 0.7, AUCHi: 0.9,
		Drift: 0.6, Effective: 37, Supported: 0.761, Columns: []Column{
			{Name: "bmi", P: 0.0001, Shift: 0.82, Missing: 0.211, MissingAtFit: 0, New: 0},
			{Name: "town", P: 0.002, Shift: nan, Missing: 0.3, MissingAtFit: 0.295, New: 0.3},
			{Name: "age", P: 0.4, Shift: 0.1}}}
	alike := moved
	alike.P, alike.Drift, alike.Columns = 0.31, 0, moved.Columns[2:]
	few := Report{File: "b.csv", Rows: 7, P: nan, Supported: nan}
	judged := alike
	judged.Judged = &Labels{Rows: 40, New: 3, Level: 0.9, Coverage: &Share{0.85, 0.7, 0.94, 0.91},
		Metric: "CRPS", Score: 2, ScoreSE: 0.25, ScoreAtFit: 1.5, ScoreAtFitSE: 0.1, Martingale: 12.3}
	one := alike
	one.Judged = &Labels{Rows: 1, Metric: "CRPS", Score: 2, ScoreSE: nan, ScoreAtFit: 1.5,
		Martingale: 1}
	for _, c := range []struct {
		r     Report
		wants []string
	}{
		{moved, []string{"b.csv: 50 rows differ from the rows of y.state (p < 0.001)",
			"AUC of 0.80 (0.70 to 0.90; 0.5 is chance); drift is 0.60",
			"Columns that differ: bmi (p < 0.001, mean +0.82 sd, missing 21.1 % instead of 0 %); " +
				"town (p 0.002, new categories in 30 %).",
			"76.1 % of the rows look like rows of y.state", "rows is as good as 37 "}},
		{alike, []string{"b.csv: 50 rows look like the rows of y.state (p 0.31)"}},
		{few, []string{"b.csv: too few rows to test the features: 7. The test needs at least 20"}},
		{judged, []string{"85 % of 40 labels are inside their 90 % predictive intervals (exact 95 % " +
			"interval 70 % to 94 %; 91 % at the fit)", "3 of 40 labels are classes that y.state lacks",
			"CRPS is 2 ± 0.5; at the fit it was 1.5 ± 0.2", "multiplied its stake by 12.3 "}},
		{one, []string{"The CRPS is 2 ± unknown; at the fit it was 1.5", "\nA bet, row after row"}},
	} {
		text := strings.Join(c.r.Sentences("y.state"), "\n")
		must.Hold(t, "sentences", text, c.wants...)
	}
	if text := strings.Join(alike.Sentences("y"), ""); strings.Contains(text, "differ") {
		t.Errorf("like rows: %s", text)
	}
}

// Figures of a report have values, some are about labels, and some exist for one task only.
func TestFigures(t *testing.T) {
	r := Report{Drift: 0.5, Judged: &Labels{Score: 3, ScoreAtFit: 2, Martingale: 7,
		Accuracy: &Share{Value: 0.8}}}
	for name, want := range map[string]float64{"drift": 0.5, "score": 1.5, "martingale": 7,
		"accuracy": 0.8, "coverage": math.NaN()} {
		near(t, name, r.Figure(name), want)
	}
	var labels []string
	for _, name := range Figures() {
		if AboutLabels(name) {
			labels = append(labels, name)
		}
	}
	want := []string{"new_labels", "martingale", "coverage", "accuracy", "score"}
	if !slices.Equal(labels, want) {
		t.Errorf("about labels: %q", labels)
	}
	for name, want := range map[string][2]bool{"coverage": {true, false}, "accuracy": {false, true},
		"score": {true, true}} {
		got := [2]bool{Measured(name, models.RegressionTask), Measured(name, models.ClassificationTask)}
		if got != want {
			t.Errorf("%s is measured of numbers and classes: %v", name, got)
		}
	}
}
