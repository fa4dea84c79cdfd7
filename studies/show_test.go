package main

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/evaluate"
)

// resultOf is one result.
func resultOf(
	method, functional, metric string, value float64, params ...evaluate.Param,
) evaluate.Result {
	return evaluate.Result{Params: params, Measure: evaluate.Measure{Method: method,
		Functional: functional, Metric: metric, Value: evaluate.Number(value), SE: 0.01, N: 20}}
}

// The grid's widths are divided by √d, bars are two standard errors, and the axis of coverage shows
// the lowest one.
func TestGridChart(t *testing.T) {
	var f job
	f.Level = 0.9
	for _, n := range []int{50, 800} {
		for _, metric := range []string{"coverage", "width"} {
			f.results = append(f.results, resultOf("paper", "q0.5", metric, 0.7,
				evaluate.Param{Name: "d", Value: 10}, evaluate.Param{Name: "J", Value: 5},
				evaluate.Param{Name: "n", Value: n}))
		}
	}
	c := f.gridChart("q0.5")
	width, root := c.Panels[1][1].Series[0], math.Sqrt(10)
	if width.Name != "paper" || width.X[1] != 800 || math.Abs(width.Y[0]-0.7/root) > 1e-15 ||
		math.Abs(width.Err[0]-0.02/root) > 1e-15 {
		t.Errorf("width series %+v: want 0.7/√10 ± 0.02/√10", width)
	}
	if low := c.Panels[0][1].Range[0]; low > 0.68 {
		t.Errorf("the axis starts at %v and hides a coverage of 0.7", low)
	}
}

// Published figures stand beside ours, in table and figure.
func TestBenchmarkShowsThePublishedFigures(t *testing.T) {
	var f job
	f.Level = 0.9
	for _, functional := range []string{"q0.5", "q0.9"} {
		for _, metric := range []string{"coverage", "width"} {
			f.results = append(f.results, resultOf("limit", functional, metric, 1.5,
				evaluate.Param{Name: "dataset", Value: "fish"}))
		}
	}
	series := f.benchmarkChart().Panels[1][1].Series
	if len(series) != 3 || series[1].Name != "paper, published for TabICL" || series[1].Y[0] != 1.66 {
		t.Errorf("%+v", series)
	}
	rows := benchmarkSections(f)[2].Table.Rows
	for i, want := range map[int]string{1: "limit;width;1.50 ± 0.02",
		4: "paper, published, tabpfn;width;1.72 ± 0.08",
		5: "paper, published, tabpfn;time_s;11.3 ± 0.3"} {
		if got := strings.Join(rows[i], ";"); got != want {
			t.Errorf("row %d: %s, want %s", i, got, want)
		}
	}
}

// The study "calibration" has a row per functional and method, and names the family that is covered
// least.
func TestCalibrationTable(t *testing.T) {
	var f job
	for i, family := range []string{"linear", "wave"} {
		at := evaluate.Param{Name: "family", Value: family}
		for k, m := range []string{"paper", "direct"} {
			f.results = append(f.results, resultOf(m, "mean", "coverage", 0.9-0.1*float64(i), at),
				resultOf(m, "mean", "width", 2-float64(k), at), resultOf(m, "mean", "score", 3, at))
		}
	}
	rows := calibrationSections(f)[0].Table.Rows
	want := []string{"mean", "direct", "0.850", "0.800 wave", "1.000", "0.50", "3.000"}
	if len(rows) != 3 || rows[0][0] != "a label" || !slices.Equal(rows[2], want) {
		t.Errorf("rows %q, want %q", rows, want)
	}
}

// Errors of probabilities are means by number of classes, which have no predictive interval.
func TestClassSections(t *testing.T) {
	var f job
	for _, classes := range []int{2, 2, 4} {
		f.results = append(f.results, resultOf(evaluate.MethodPPD, "", "error", float64(classes)/10,
			evaluate.Param{Name: "classes", Value: classes}))
	}
	sections := classSections(f)
	rows := sections[0].Table.Rows
	if len(rows) != 2 || rows[0][1] != "0.200" || rows[1][1] != "0.400" {
		t.Errorf("%v", rows)
	}
	if len(sections[1].Table.Rows) != 0 {
		t.Error("classes have a predictive interval")
	}
}
