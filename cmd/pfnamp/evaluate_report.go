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

// provenance says what was run.
func (j *evaluateJob) provenance() string {
	s := j.opt.setting
	return fmt.Sprintf("Model: %s %s. %d chains of %d forward samples, level %g, seed %d. %d splits, "+
		"training share %g, %d bootstrap refits.", j.bundle.Manifest.Name, j.bundle.Manifest.Version,
		s.Chains, s.Steps, s.Level, s.Seed, s.Splits, s.Share, s.Refits)
}

// classCounts says how many rows every class of the table has.
func (j *evaluateJob) classCounts() string {
	t := j.table
	counts := make([]int, len(t.Classes))
	for _, k := range t.Y {
		counts[int(k)]++
	}
	return labelCounts(t.Classes, counts)
}

// tableReport is the report on the splits of one table.
func (j *evaluateJob) tableReport(all []evaluate.Result) (report.Page, []namedChart) {
	s, t, target := j.opt.setting, j.table, j.from.fit.Target
	train, _, _ := s.Parts(t) // check has split it
	e := report.Evaluation{
		Title: fmt.Sprintf("How well the model predicts %s in %s: %s, %s", target, t.Name,
			count(t.Rows, "row"), count(t.Cols, "feature")),
		Cells: j.cells, Outcomes: j.outcomes, Rows: t.Rows, Read: len(train), Share: s.Share,
		How: j.provenance(), Asked: report.Asked{Target: target, Level: s.Level}}
	if t.Classes != nil {
		e.Classes = j.classCounts()
	} else {
		first := s.Functionals[0]
		e.Unit, e.Asked.Functionals = t.Unit(), []string{first.String()}
		e.Asked.Events = []bool{first.Unit() == amp.ProbabilityUnit}
	}
	return e.Page(), []namedChart{{"reliability", report.ReliabilityChart(j.outcomes)},
		{"trade", report.TradeChart(all, s.Level)}}
}
