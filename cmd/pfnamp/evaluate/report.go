package evaluate

import (
	"fmt"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/report"
)

// namedChart is a picture and its file name without extension.
type namedChart struct {
	name    string
	drawing report.Chart
}

// title is that of the report.
func (j *job) title() string {
	t := j.table
	return fmt.Sprintf("How well the model predicts %s in %s: %s, %s", j.From.Fit.Target, t.Name,
		words.Count(t.Rows, "row"), words.Count(t.Cols, "feature"))
}

// page is the report on random splits.
func (j *job) page() report.Page {
	m, s, t := j.Bundle.Manifest, j.setting, j.table
	train, _, _ := s.Parts(t) // check has split it
	e := report.Evaluation{
		Title: j.title(), Cells: j.cells, Outcomes: j.outcomes, Rows: t.Rows, Read: len(train),
		Share: s.Share,
		How: fmt.Sprintf("Model: %s %s. %d chains of %d forward samples, level %g, seed %d. %d splits, "+
			"training share %g, %d bootstrap refits.", m.Name, m.Version, s.Chains, s.Steps, s.Level, s.Seed,
			s.Splits, s.Share, s.Refits),
		Asked: report.Asked{Target: j.From.Fit.Target, Level: s.Level},
	}
	if t.Classes != nil {
		e.Classes = j.classCounts()
	} else {
		first := s.Functionals[0]
		e.Unit, e.Asked.Functionals = t.Unit(), []string{first.String()}
		e.Asked.Events = []bool{first.Unit() == amp.ProbabilityUnit}
	}
	return e.Page()
}

// classCounts says how many rows every class of the table has.
func (j *job) classCounts() string {
	t := j.table
	counts := make([]int, len(t.Classes))
	for _, k := range t.Y {
		counts[int(k)]++
	}
	return run.LabelCounts(t.Classes, counts)
}
