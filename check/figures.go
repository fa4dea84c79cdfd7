package check

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/models"
)

// figure is a value of a report that a condition may be about.
type figure struct {
	name   string
	labels bool // it needs labels
	of     func(Report) float64
}

// figures lists them.
func figures() []figure {
	largest := func(of func(Column) float64) func(Report) float64 {
		return func(r Report) float64 {
			most := 0.0
			for _, c := range r.Columns {
				most = math.Max(most, of(c))
			}
			return most
		}
	}
	label := func(of func(*Labels) float64) func(Report) float64 {
		return func(r Report) float64 {
			if r.Judged == nil {
				return math.NaN()
			}
			return of(r.Judged)
		}
	}
	share := func(s *Share) float64 {
		if s == nil {
			return math.NaN()
		}
		return float64(s.Value)
	}
	return []figure{
		{"drift", false, func(r Report) float64 { return float64(r.Drift) }},
		{"p", false, func(r Report) float64 { return float64(r.P) }},
		{"auc", false, func(r Report) float64 { return float64(r.AUC) }},
		{"supported", false, func(r Report) float64 { return float64(r.Supported) }},
		{"effective_rows", false, func(r Report) float64 { return float64(r.Effective) }},
		{"missing", false,
			largest(func(c Column) float64 { return float64(c.Missing - c.MissingAtFit) })},
		{"new", false, largest(func(c Column) float64 { return float64(c.New) })},
		{"outside", false, largest(func(c Column) float64 { return float64(c.Outside) })},
		{"new_labels", true, label(func(l *Labels) float64 { return float64(l.New) / float64(l.Rows) })},
		{"martingale", true, label(func(l *Labels) float64 { return float64(l.Martingale) })},
		{"coverage", true, label(func(l *Labels) float64 { return share(l.Coverage) })},
		{"accuracy", true, label(func(l *Labels) float64 { return share(l.Accuracy) })},
		{"score", true, label(func(l *Labels) float64 { return float64(l.Score / l.ScoreAtFit) })},
	}
}

// Figures lists the names of the figures that a condition can test, such as "drift".
func Figures() (names []string) {
	for _, f := range figures() {
		names = append(names, f.name)
	}
	return names
}

// hits names, by task, the share of predictions that hold.
var hits = map[string]string{models.RegressionTask: "coverage",
	models.ClassificationTask: "accuracy"}

// Measured reports whether a figure exists for a task, such as models.RegressionTask.
func Measured(name, task string) bool {
	for other, hit := range hits {
		if hit == name && other != task {
			return false
		}
	}
	return true
}

// AboutLabels reports whether a figure needs labels.
func AboutLabels(name string) bool {
	return slices.ContainsFunc(figures(), func(f figure) bool { return f.name == name && f.labels })
}

// Figure returns a figure by its name, NaN if the report lacks it, for example because the batch
// has too few rows. "missing", "new" and "outside" are the largest value over the columns;
// "missing" is the increase of the share of missing cells since the fit. "score" is the score
// divided by the score at the fit.
func (r Report) Figure(name string) float64 {
	for _, f := range figures() {
		if f.name == name {
			return f.of(r)
		}
	}
	return math.NaN()
}
