package main

import (
	"fmt"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/report"
)

// namedChart is a picture and its file name without extension.
type namedChart struct {
	name    string
	drawing report.Drawing
}

// report makes the page and the pictures that are files of their own.
func (j *evaluateJob) report(all, results []evaluate.Result) (report.Page, []namedChart, error) {
	if j.opt.study == nil && j.tables[0].Classes != nil {
		page, charts := j.classReport(all)
		return page, charts, nil
	}
	if j.opt.study == nil {
		page, charts := j.tableReport(all)
		return page, charts, nil
	}
	page := report.Page{Title: j.opt.study.Title, Lead: []string{j.provenance()}}
	if j.opt.study.Name == calibrationStudy {
		page.Sections = report.CalibrationSections(results, j.opt.setting.Level)
		return page, []namedChart{{"ranks", report.RankChart(results)}}, nil
	}
	if j.opt.study.Name == classStudy {
		page.Sections = report.ClassCalibrationSections(results, j.opt.setting.Level)
		return page, []namedChart{{"ranks", report.RankChart(results)}}, nil
	}
	charts := j.studyCharts(results)
	for _, c := range charts {
		page.Sections = append(page.Sections, report.Section{Title: c.name, Chart: c.drawing})
	}
	if len(j.tables) > 0 {
		page.Sections = append(page.Sections,
			report.Section{Title: "Predictive distributions", Table: report.PPDTable(results)})
	}
	for _, f := range report.FunctionalsOf(results) {
		table, err := report.GridTable(results, f), error(nil)
		if len(j.tables) > 0 {
			table, err = report.BenchmarkTable(results, f)
		}
		if err != nil {
			return page, nil, err
		}
		page.Sections = append(page.Sections,
			report.Section{Title: "Coverage and width, " + f, Table: table})
	}
	return page, charts, nil
}

// provenance says what was run.
func (j *evaluateJob) provenance() string {
	s := j.opt.setting
	model := "the exact Bayesian solution"
	if j.bundle != nil {
		model = j.bundle.Manifest.Name + " " + j.bundle.Manifest.Version
	}
	text := fmt.Sprintf("Model: %s. %d chains of %d forward samples, level %g, seed %d.",
		model, s.Chains, s.Steps, s.Level, s.Seed)
	if len(j.tables) > 0 {
		return text + fmt.Sprintf(" %d splits, training share %g, %d bootstrap refits.",
			s.Splits, s.Share, s.Refits)
	}
	return text + fmt.Sprintf(" %d data sets x %d query rows per cell; bars are two standard "+
		"errors over the data sets.", s.Sets, s.Points)
}

// studyCharts draws what the study found.
func (j *evaluateJob) studyCharts(results []evaluate.Result) []namedChart {
	level := j.opt.setting.Level
	switch j.opt.study.Name {
	case "effect":
		return []namedChart{{"effect", report.EffectChart(j.cells, j.outcomes)}}
	case benchmarkStudy:
		return []namedChart{{"benchmark", report.BenchmarkChart(results, level)}}
	}
	var charts []namedChart
	for _, f := range []string{"q0.5", "q0.9"} {
		charts = append(charts, namedChart{j.opt.study.Name + "_" + f,
			report.GridChart(results, f, level)})
	}
	return charts
}

// classReport is the report on the splits of one table of classes.
func (j *evaluateJob) classReport(all []evaluate.Result) (report.Page, []namedChart) {
	s, t, target := j.opt.setting, j.tables[0], j.from.fit.Target
	train, _, _ := s.Parts(t) // check has split it
	page := report.ClassEvaluation{Classes: j.classCounts(), Read: len(train),
		Evaluation: report.Evaluation{
			Title: fmt.Sprintf("How well the model predicts %s in %s: %s, %s", target, t.Name,
				count(t.Rows, "row"), count(t.Cols, "feature")),
			Cells: j.cells, Outcomes: j.outcomes, Rows: t.Rows, Share: s.Share, How: j.provenance(),
			Asked: report.Asked{Target: target, Level: s.Level},
		}}.Page()
	return page, []namedChart{
		{"reliability", report.ClassReliabilityChart(j.outcomes)},
		{"trade", report.ClassTradeChart(all, s.Level)},
	}
}

// classCounts says how many rows every class of the table has.
func (j *evaluateJob) classCounts() string {
	t := j.tables[0]
	counts := make([]int, len(t.Classes))
	for _, k := range t.Y {
		counts[int(k)]++
	}
	return labelCounts(t.Classes, counts)
}

// tableReport is the report on the splits of one table.
func (j *evaluateJob) tableReport(all []evaluate.Result) (report.Page, []namedChart) {
	s, t, target := j.opt.setting, j.tables[0], j.from.fit.Target
	first := s.Functionals[0]
	page := report.Evaluation{
		Title: fmt.Sprintf("How well the model predicts %s in %s: %s, %s", target, t.Name,
			count(t.Rows, "row"), count(t.Cols, "feature")),
		Cells: j.cells, Outcomes: j.outcomes, Rows: t.Rows, Share: s.Share, Unit: t.Unit(),
		How: j.provenance(), Asked: report.Asked{Target: target, Level: s.Level,
			Functionals: []string{first.String()}, Events: []bool{first.Unit() == amp.ProbabilityUnit}},
	}.Page()
	return page, []namedChart{
		{"reliability", report.ReliabilityChart(j.outcomes)},
		{"trade", report.TradeChart(all, s.Level)},
	}
}
