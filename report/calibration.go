package report

import (
	"fmt"
	"slices"

	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/evaluate/paper"
)

// CalibrationTable lists results of the study "calibration", one row per functional and method:
// means over all data sets, the family with the lowest coverage, and the width divided by the
// width of the published schedule. For numbers, the first row shows predictive intervals.
func CalibrationTable(results []evaluate.Result) *Table {
	t := &Table{Names: 2, Header: []string{"functional", "method", "coverage", "lowest family",
		"width", "width/paper's", "score"}}
	label := figures{results, evaluate.MethodPPD, ""}
	if len(results) > 0 && results[0].Param("classes") == "" { // classes have no predictive interval
		t.Rows = append(t.Rows, []string{"a label", evaluate.MethodPPD, label.text("coverage"),
			label.lowest(), label.text("width"), "", ""})
	}
	for _, f := range FunctionalsOf(results) {
		published := figures{results, evaluate.MethodPaper, f}.mean("width")
		for _, m := range answering(results, f) {
			of := figures{results, m, f}
			share := of.mean("width") / published
			t.Rows = append(t.Rows, []string{f, m, of.text("coverage"), of.lowest(),
				of.text("width"), fmt.Sprintf("%.2f", share), of.text("score")})
		}
	}
	return t
}

// CalibrationSections makes the sections on the study "calibration": a table of means, ranks,
// coverage by level, and coverage and width by every coordinate of the data sets.
func CalibrationSections(results []evaluate.Result, level float64) []Section {
	sections := []Section{
		{Title: "All data sets", Table: CalibrationTable(results), Text: []string{fmt.Sprintf(
			"The best intervals have the smallest width among those with a coverage of at least %g in "+
				"every family. Widths and scores are in standard deviations of the training labels; for "+
				"the event, a label above their 0.7-quantile, they are probabilities. ", level) +
			scoreText(level)}},
	}
	return append(sections, detailSections(results)...)
}

// scoreText explains the interval score of a level.
func scoreText(level float64) string {
	return fmt.Sprintf("The score (smaller is better) is the width plus %.3g times the distance from "+
		"the interval to a truth outside it.", 2/(1-level))
}

// detailSections are ranks, levels and coordinates.
func detailSections(results []evaluate.Result) []Section {
	sections := []Section{
		{Title: "Ranks of the truth", Chart: RankChart(results), Text: []string{
			"The curve shows the share of truths in every tenth of the posterior. It is flat if the " +
				"posterior is calibrated, high in the middle if intervals are wider than necessary, and " +
				"high at the ends if they are too narrow."}},
		{Title: "By level: coverage", Table: levelTable(results)},
	}
	for _, p := range results[0].Params {
		sections = append(sections, Section{Title: "By " + p.Name + ": coverage / width",
			Table: coordinateTable(results, p.Name)})
	}
	return sections
}

// RankChart draws the share of truths in every tenth of the posterior, one panel per functional.
func RankChart(results []evaluate.Result) Chart {
	var row []Panel
	for _, f := range FunctionalsOf(results) {
		p := Panel{Title: f, X: "posterior probability below the truth", Y: "share of rows",
			Target: []float64{1.0 / paper.Tenths}}
		for _, m := range answering(results, f) {
			s := Series{Name: m}
			for i := range paper.Tenths {
				s.X = append(s.X, (float64(i)+0.5)/paper.Tenths)
				s.Y = append(s.Y, figures{results, m, f}.mean(paper.RankMetric(i)))
			}
			p.Series = append(p.Series, s)
		}
		row = append(row, p)
	}
	shareRange(row)
	for i := range row {
		row[i].Range[0] = 0
	}
	return Chart{Panels: [][]Panel{row}, Width: 6 * float64(len(row)), Height: 7,
		Alt: "Ranks of the truth in the posterior"}
}

// levelTable lists the coverage of intervals of several levels.
func levelTable(results []evaluate.Result) *Table {
	t := &Table{Names: 2, Header: []string{"functional", "method"}}
	for _, level := range paper.NestedLevels() {
		t.Header = append(t.Header, fmt.Sprintf("%g", level))
	}
	for _, f := range FunctionalsOf(results) {
		for _, m := range answering(results, f) {
			row := []string{f, m}
			for _, level := range paper.NestedLevels() {
				row = append(row, figures{results, m, f}.text(paper.NestedMetric(level)))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// coordinateTable lists coverage / width by the values of a coordinate.
func coordinateTable(results []evaluate.Result, name string) *Table {
	methods := methodsOf(results)
	t := &Table{Names: 2, Header: append([]string{name, "functional"}, methods...)}
	for _, value := range valuesOf(results, name) {
		part := only(results, name, value)
		for _, f := range FunctionalsOf(results) {
			row := []string{value, f}
			for _, m := range methods {
				cell := ""
				if _, ok := evaluate.Find(part, m, f, "coverage"); ok {
					of := figures{part, m, f}
					cell = of.text("coverage") + " / " + of.text("width")
				}
				row = append(row, cell)
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// answering lists the methods that have intervals of a functional.
func answering(results []evaluate.Result, functional string) []string {
	return slices.DeleteFunc(methodsOf(results), func(m string) bool {
		_, ok := evaluate.Find(results, m, functional, "coverage")
		return !ok
	})
}

// figures are the results of a method and functional.
type figures struct {
	results            []evaluate.Result
	method, functional string
}

// mean averages a metric over cells, NaN if there is none.
func (f figures) mean(metric string) float64 {
	var m evaluate.Moments
	for _, r := range f.results {
		if r.Method == f.method && r.Functional == f.functional && r.Metric == metric {
			m.Add(float64(r.Value))
		}
	}
	return m.Mean()
}

func (f figures) text(metric string) string { return fmt.Sprintf("%.3f", f.mean(metric)) }

// lowest names the family that is covered least, with its coverage.
func (f figures) lowest() string {
	lowest, name := 2.0, ""
	for _, family := range valuesOf(f.results, "family") {
		c := figures{only(f.results, "family", family), f.method, f.functional}.mean("coverage")
		if c < lowest {
			lowest, name = c, family
		}
	}
	return fmt.Sprintf("%.3f %s", lowest, name)
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
	var part []evaluate.Result
	for _, r := range results {
		if r.Param(name) == value {
			part = append(part, r)
		}
	}
	return part
}
