package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/report"
)

// gridChart draws results on the grid like the publication's figures: one column per (d, J),
// coverage in the first row and width / √d in the second, over n.
func (j job) gridChart(functional string) report.Chart {
	c := report.Chart{Panels: make([][]report.Panel, 2), Width: 6 * float64(len(additiveLaws))}
	n := func(r evaluate.Result) float64 {
		rows, _ := strconv.ParseFloat(r.Param("n"), 64)
		return rows
	}
	low := 0.8 // room below the lowest coverage
	for _, r := range j.results {
		if r.Metric == "coverage" && r.Functional == functional {
			low = min(low, float64(r.Value-2*r.SE))
		}
	}
	for _, law := range additiveLaws {
		of := only(only(j.results, "d", fmt.Sprint(law.features)), "J", fmt.Sprint(law.signals))
		coverage := report.Panel{X: "n", Y: "coverage", LogX: true, Target: []float64{j.Level},
			Title: fmt.Sprintf("d = %d, J = %d", law.features, law.signals),
			Range: []float64{max(0, low-0.02), 1.005}}
		width := report.Panel{X: "n", Y: "width / √d", LogX: true}
		for _, m := range report.MethodsOf(j.results) {
			q := quantity{m, functional, "coverage", 1}
			coverage.Series = append(coverage.Series, q.series(of, n)...)
			q.metric, q.unit = "width", math.Sqrt(float64(law.features))
			width.Series = append(width.Series, q.series(of, n)...)
		}
		c.Panels[0] = append(c.Panels[0], coverage)
		c.Panels[1] = append(c.Panels[1], width)
	}
	return c
}

// quantity is what a series shows, in a unit.
type quantity struct {
	method, functional, metric string
	unit                       float64
}

// series is a quantity with bars of two standard errors, none without results; at is the
// horizontal place of a result, NaN for nowhere.
func (q quantity) series(
	results []evaluate.Result, at func(evaluate.Result) float64,
) []report.Series {
	s := report.Series{Name: q.method}
	for _, r := range results {
		if x := at(r); r.Method == q.method && r.Functional == q.functional && r.Metric == q.metric &&
			!math.IsNaN(x) {
			s.X = append(s.X, x)
			s.Y = append(s.Y, float64(r.Value)/q.unit)
			s.Err = append(s.Err, 2*float64(r.SE)/q.unit)
		}
	}
	if s.X == nil {
		return nil
	}
	return []report.Series{s}
}

// benchmarkChart draws coverage (first row) and width (second row) of every method by data set, one
// column per functional, beside the publication's figures for TabICL.
func (j job) benchmarkChart() report.Chart {
	names := valuesOf(j.results, "dataset")
	at := func(r evaluate.Result) float64 {
		if i := slices.Index(names, r.Param("dataset")); i >= 0 {
			return float64(i)
		}
		return math.NaN()
	}
	c := report.Chart{Panels: make([][]report.Panel, 2), Width: 26, Height: 17}
	for _, functional := range []string{"q0.5", "q0.9"} {
		for i, metric := range []string{"coverage", "width"} {
			p := report.Panel{Y: metric, Names: names}
			if metric == "coverage" {
				p.Title, p.Target, p.Range = functional, []float64{j.Level}, []float64{0, 1.03}
			}
			for _, m := range report.MethodsOf(j.results) {
				q := quantity{m, functional, metric, 1}
				p.Series = append(p.Series, q.series(j.results, at)...)
			}
			for _, m := range []string{evaluate.MethodPaper, evaluate.MethodBootstrap} {
				q := quantity{m, functional, metric, 1}
				for _, s := range q.series(published("tabicl"), at) {
					s.Name = m + ", published for TabICL"
					p.Series = append(p.Series, s)
				}
			}
			dodge(p.Series)
			c.Panels[i] = append(c.Panels[i], p)
		}
	}
	return c
}

// dodge makes series dots and moves them apart, so that their bars do not hide each other.
func dodge(series []report.Series) {
	for k := range series {
		series[k].Mark = report.Dots
		for i := range series[k].X {
			series[k].X[i] += 0.8 * (float64(k+1)/float64(len(series)+1) - 0.5)
		}
	}
}

// effectChart draws the credible bands of one-dimensional effects, one row per cell and one column
// per method. The title of a panel gives coverage and mean width.
func (j job) effectChart() report.Chart {
	c := report.Chart{Width: 6 * float64(len(report.MethodsOf(j.results)))}
	for i, o := range j.outcomes {
		results := evaluate.Results(j.cells[i:i+1], j.outcomes[i:i+1])
		var lines []report.Series
		var row []report.Panel
		for _, curve := range o.Curves {
			switch {
			case curve.Name == "truth" || curve.Name == "estimate":
				lines = append(lines, report.Series{Name: curve.Name, X: evaluate.Floats(curve.X),
					Y: evaluate.Floats(curve.Y)})
			case curve.Lo != nil:
				band := report.Series{Name: "credible band", Mark: report.Band, X: evaluate.Floats(curve.X),
					Lo: evaluate.Floats(curve.Lo), Hi: evaluate.Floats(curve.Hi)}
				row = append(row, report.Panel{X: "x", Y: "median of y",
					Title: fmt.Sprintf("%s, n = %s: coverage %.2f, width %.2f", curve.Name,
						results[0].Param("n"), mean(results, curve.Name, "q0.5", "coverage"),
						mean(results, curve.Name, "q0.5", "width")),
					Series: append([]report.Series{band}, lines...)})
			}
		}
		report.ShareRange(row)
		c.Panels = append(c.Panels, row)
	}
	return c
}
