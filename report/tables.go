package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp/evaluate"
)

// The scores of predictive distributions, of numbers and of classes, and what they mean. Every
// scored distribution has the first.
var (
	numberScores = [][2]string{
		{"crps", "error of the whole distribution (continuous ranked probability score)"},
		{"log_score", "mean of -log of the predicted density of the label, in nats"},
		{"rmse", "root mean square error of the predicted mean"},
		{"r2", "share of the labels' variance that the predicted mean explains; 1 is perfect, the mean " +
			"label has 0"},
		{"pinball_0.5", "mean absolute error of the predicted median"},
		{"pinball_0.9", "error of the predicted 0.9-quantile: twice its pinball loss"},
		{"coverage", "share of the labels inside their predictive intervals"},
		{"width", "mean width of the predictive intervals"},
		{"time_s", "seconds for reading and predicting"}}
	classScores = [][2]string{
		{evaluate.MetricLogLoss, "mean of -log of the probability of the label, in nats"},
		{"brier", "squared errors of the probabilities of all classes together; 0 is best, 2 is worst"},
		{"auc", "how often a row of a class has a higher probability of it than another row; 0.5 is " +
			"chance"},
		{"accuracy", "share of rows whose most probable class is the label"},
		{"calibration_error", "mean distance of probabilities from how often they come true; chance " +
			"keeps it above 0"},
		{"time_s", "seconds for reading and predicting"}}
)

// scoresOf are those that results have.
func scoresOf(results []evaluate.Result) [][2]string {
	if _, ok := evaluate.Find(results, evaluate.MethodPPD, "", evaluate.MetricLogLoss); ok {
		return classScores
	}
	return numberScores
}

// ScoreTable lists the scores of predictive distributions, or of class probabilities: mean ± two
// standard errors over the splits. It has one row per table and predictor; the model comes first,
// then the baselines.
func ScoreTable(results []evaluate.Result) *Table {
	metrics := scoresOf(results)
	t, all := &Table{}, groups(results)
	predictors := predictorsOf(results, metrics[0][0])
	named := len(all) != 1 || all[0].name != ""
	if named {
		t.Names, t.Header = 1, append(t.Header, "table")
	}
	if !named || len(predictors) > 1 {
		t.Names, t.Header = t.Names+1, append(t.Header, "prediction")
	}
	for _, m := range metrics {
		t.Header = append(t.Header, m[0])
	}
	for _, g := range all {
		for _, p := range predictors {
			row := []string{g.name, p}
			if p == evaluate.MethodPPD {
				row[1] = "model"
			}
			switch {
			case !named:
				row = row[1:]
			case len(predictors) == 1:
				row = row[:1]
			}
			for _, m := range metrics {
				row = append(row, g.cell(p, "", m[0]))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// predictorsOf lists the methods whose predictive distributions have a score, the model first.
func predictorsOf(results []evaluate.Result, score string) []string {
	all := []string{evaluate.MethodPPD}
	for _, r := range results {
		if r.Functional == "" && r.Metric == score && !slices.Contains(all, r.Method) {
			all = append(all, r.Method)
		}
	}
	return all
}

// IntervalTable lists coverage, width and time in seconds: mean ± two standard errors. It has one
// row per group of coordinates, functional and method.
func IntervalTable(results []evaluate.Result) *Table {
	t := &Table{Names: 3,
		Header: []string{"data", "functional", "method", "coverage", "width", "time_s"}}
	all := groups(results)
	for _, g := range all {
		for _, f := range FunctionalsOf(g.results) {
			for _, m := range MethodsOf(g.results) {
				if _, ok := evaluate.Find(g.results, m, f, "coverage"); !ok {
					continue
				}
				// of all functionals of a method together; published results have one for each
				time := cmp.Or(g.cell(m, "", "time_s"), g.cell(m, f, "time_s"))
				t.Rows = append(t.Rows, []string{g.name, f, m, g.cell(m, f, "coverage"),
					g.cell(m, f, "width"), time})
			}
		}
	}
	if len(all) == 1 && all[0].name == "" { // one table needs no name
		t.Names, t.Header = 2, t.Header[1:]
		for i := range t.Rows {
			t.Rows[i] = t.Rows[i][1:]
		}
	}
	return t
}

// MethodsOf lists the methods that have widths.
func MethodsOf(results []evaluate.Result) (all []string) {
	for _, r := range results {
		if r.Metric == "width" && r.Functional != "" && !slices.Contains(all, r.Method) {
			all = append(all, r.Method)
		}
	}
	return all
}

// group is the results with the same coordinates.
type group struct {
	name    string
	results []evaluate.Result
}

// groups are named by their coordinates' values, of numbers with the coordinate's name.
func groups(results []evaluate.Result) (all []group) {
	for _, r := range results {
		var parts []string
		for _, p := range r.Params {
			if text, ok := p.Value.(string); ok {
				parts = append(parts, text)
			} else {
				parts = append(parts, fmt.Sprintf("%s=%v", p.Name, p.Value))
			}
		}
		name := strings.Join(parts, " ")
		i := slices.IndexFunc(all, func(g group) bool { return g.name == name })
		if i < 0 {
			i = len(all)
			all = append(all, group{name: name})
		}
		all[i].results = append(all[i].results, r)
	}
	return all
}

// FunctionalsOf lists the functionals in order of appearance.
func FunctionalsOf(results []evaluate.Result) (all []string) {
	for _, r := range results {
		if r.Functional != "" && !slices.Contains(all, r.Functional) {
			all = append(all, r.Functional)
		}
	}
	return all
}

// cell writes a figure with two standard errors, "" if there is none.
func (g group) cell(method, functional, metric string) string {
	r, ok := evaluate.Find(g.results, method, functional, metric)
	if !ok {
		return ""
	}
	vague := metric == "time_s" && 2*r.SE >= r.Value // the first split also starts the library
	if math.IsNaN(float64(r.SE)) || vague {
		return Number(float64(r.Value))
	}
	digits := 3
	if !slices.Contains(fineMetrics, metric) {
		digits = 2
	}
	if size := math.Abs(float64(r.Value)); size >= 10 && size < math.Inf(1) {
		digits = max(0, digits-int(math.Log10(size))) // no more digits than a smaller number has
	} else if size >= 1e-6 && slices.Contains(scaledMetrics, metric) {
		digits = max(digits, 1-int(math.Floor(math.Log10(size)))) // two that are not 0
	}
	return spread(float64(r.Value), 2*float64(r.SE), digits)
}

// spread writes a figure with two standard errors. A figure that is not 0 never reads 0. Errors
// that are 0, because all splits agree, are left out.
func spread(value, errors float64, digits int) string {
	least := math.Pow10(-digits)
	figure := fmt.Sprintf("%.*f", digits, value)
	switch {
	case value > 0 && value < least/2:
		return fmt.Sprintf("<%.*f", digits, least)
	case errors == 0:
		return figure
	case errors < least/2:
		return fmt.Sprintf("%s ± <%.*f", figure, digits, least)
	}
	return fmt.Sprintf("%s ± %.*f", figure, digits, errors)
}

// fineMetrics are written with three digits after the point.
var fineMetrics = []string{"crps", "log_score", evaluate.MetricLogLoss, "brier", "auc", "accuracy",
	"calibration_error"}

// scaledMetrics are in the unit of the target, which may be small.
var scaledMetrics = []string{"crps", "rmse", "pinball_0.5", "pinball_0.9", "width"}
