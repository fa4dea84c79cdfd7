package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/report"
)

// gridSections are the figures and tables of a study on the grid of additive tables.
func gridSections(j job) []report.Section {
	var sections []report.Section
	for _, functional := range []string{"q0.5", "q0.9"} {
		sections = append(sections,
			report.Section{Title: j.study.name + "_" + functional, Chart: j.gridChart(functional)})
	}
	return append(sections, j.gridTables()...)
}

// effectSections are the bands, and a table of their coverage and width.
func effectSections(j job) []report.Section {
	return append([]report.Section{{Title: "effect", Chart: j.effectChart()}}, j.gridTables()...)
}

// gridTables list coverage and width of every method as 0.95 / 1.20, a table per functional and a
// row per cell.
func (j job) gridTables() []report.Section {
	var sections []report.Section
	for _, functional := range report.FunctionalsOf(j.results) {
		methods := report.MethodsOf(j.results)
		t := &report.Table{Names: 1, Header: append([]string{functional}, methods...)}
		for i, c := range j.cells {
			of := evaluate.Results(j.cells[i:i+1], j.outcomes[i:i+1])
			row := []string{nameOf(c.Params)}
			for _, m := range methods {
				row = append(row, fmt.Sprintf("%.2f / %.2f", mean(of, m, functional, "coverage"),
					mean(of, m, functional, "width")))
			}
			t.Rows = append(t.Rows, row)
		}
		sections = append(sections, report.Section{Title: "Coverage and width, " + functional, Table: t})
	}
	return sections
}

// nameOf names a cell by its coordinates.
func nameOf(params []evaluate.Param) string {
	var parts []string
	for _, p := range params {
		parts = append(parts, fmt.Sprintf("%s=%v", p.Name, p.Value))
	}
	return strings.Join(parts, " ")
}

// benchmarkSections have the layout of the publication's tables 1 and 2: one row per method and
// metric, one column per data set, each figure ± two standard errors. The published figures come
// last.
func benchmarkSections(j job) []report.Section {
	sections := []report.Section{{Title: "benchmark", Chart: j.benchmarkChart()},
		{Title: "Predictive distributions", Table: report.ScoreTable(j.results)}}
	names := valuesOf(j.results, "dataset")
	for _, functional := range []string{"q0.5", "q0.9"} {
		t := &report.Table{Names: 2, Header: append([]string{"method", "metric"}, names...)}
		for _, m := range report.MethodsOf(j.results) {
			t.Rows = append(t.Rows, benchmarkRows(m, j.results, m, functional, names)...)
		}
		for _, m := range []string{evaluate.MethodPaper, evaluate.MethodBootstrap} {
			for _, model := range []string{"tabpfn", "tabicl"} {
				t.Rows = append(t.Rows,
					benchmarkRows(m+", published, "+model, published(model), m, functional, names)...)
			}
		}
		sections = append(sections, report.Section{Title: "Coverage and width, " + functional, Table: t})
	}
	return sections
}

// benchmarkRows are coverage, width and time of a method and functional, if it has any.
func benchmarkRows(label string, results []evaluate.Result, method, functional string,
	names []string,
) (rows [][]string) {
	long := report.IntervalTable(results) // data, functional, method, and the metrics
	for k, metric := range long.Header[3:] {
		row, found := []string{label, metric}, false
		for _, name := range names {
			i := slices.IndexFunc(long.Rows, func(r []string) bool {
				return r[0] == name && r[1] == functional && r[2] == method
			})
			if i < 0 {
				row = append(row, "")
				continue
			}
			row, found = append(row, long.Rows[i][3+k]), true
		}
		if found {
			rows = append(rows, row)
		}
	}
	return rows
}

// calibrationSections are means over all data sets, and the family with the lowest coverage.
func calibrationSections(j job) []report.Section {
	t := j.calibrationTable()
	t.Rows = slices.Insert(t.Rows, 0, []string{"a label", evaluate.MethodPPD,
		figure(j.results, evaluate.MethodPPD, "", "coverage"), j.lowest(evaluate.MethodPPD, ""),
		figure(j.results, evaluate.MethodPPD, "", "width"), "", ""})
	return []report.Section{{Title: "All data sets", Table: t}}
}

// classSections are like [calibrationSections], with the distances of predicted probabilities from
// the true ones and excess log losses in nats first, by number of classes.
func classSections(j job) []report.Section {
	t := &report.Table{Names: 1, Header: []string{"classes", "mean error", "excess log loss"}}
	for _, value := range valuesOf(j.results, "classes") {
		of := only(j.results, "classes", value)
		t.Rows = append(t.Rows, []string{value, figure(of, evaluate.MethodPPD, "", "error"),
			figure(of, evaluate.MethodPPD, "", "excess_log_loss")})
	}
	return []report.Section{{Title: "Predicted probabilities", Table: t},
		{Title: "All data sets", Table: j.calibrationTable()}}
}

// calibrationTable has a row per functional and method. Widths and scores are in standard
// deviations of the training labels; those of events and classes are probabilities.
func (j job) calibrationTable() *report.Table {
	t := &report.Table{Names: 2, Header: []string{"functional", "method", "coverage", "lowest family",
		"width", "width/paper's", "score"}}
	for _, functional := range report.FunctionalsOf(j.results) {
		paper := mean(j.results, evaluate.MethodPaper, functional, "width")
		for _, m := range report.MethodsOf(j.results) {
			share := mean(j.results, m, functional, "width") / paper
			if math.IsNaN(share) { // it does not answer
				continue
			}
			t.Rows = append(t.Rows, []string{functional, m, figure(j.results, m, functional, "coverage"),
				j.lowest(m, functional), figure(j.results, m, functional, "width"),
				fmt.Sprintf("%.2f", share), figure(j.results, m, functional, "score")})
		}
	}
	return t
}

// lowest names the family that is covered least, with its coverage.
func (j job) lowest(method, functional string) string {
	lowest, name := 2.0, ""
	for _, family := range valuesOf(j.results, "family") {
		c := mean(only(j.results, "family", family), method, functional, "coverage")
		if c < lowest {
			lowest, name = c, family
		}
	}
	return fmt.Sprintf("%.3f %s", lowest, name)
}

// mean averages a metric over cells, NaN if there is none.
func mean(results []evaluate.Result, method, functional, metric string) float64 {
	var m evaluate.Moments
	for _, r := range results {
		if r.Method == method && r.Functional == functional && r.Metric == metric {
			m.Add(float64(r.Value))
		}
	}
	return m.Mean()
}

// figure is a mean in text.
func figure(results []evaluate.Result, method, functional, metric string) string {
	return fmt.Sprintf("%.3f", mean(results, method, functional, metric))
}

// valuesOf lists the values of a coordinate in order of appearance.
func valuesOf(results []evaluate.Result, name string) []string {
	var all []string
	for _, r := range results {
		if v := r.Param(name); !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return all
}

// only returns the results with a value of a coordinate.
func only(results []evaluate.Result, name, value string) []evaluate.Result {
	return slices.DeleteFunc(slices.Clone(results),
		func(r evaluate.Result) bool { return r.Param(name) != value })
}
