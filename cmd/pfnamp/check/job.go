package check

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/pfnamp/pfnamp/check"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/conditions"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/tabular"
)

func (j *checkJob) readBatch(ctx context.Context) error {
	table, err := j.ReadTable(ctx, j.file, j.ReadTest())
	if err != nil {
		return err
	}
	if table.Rows == 0 {
		return &tabular.Error{File: table.File, Msg: "the table has no rows to check"}
	}
	j.batch, err = check.Read(j.Schema, table)
	for _, note := range slices.Concat(table.Notes, j.batch.Notes) {
		j.Warnf("%s: %s", table.File, note)
	}
	return err
}

// checkConditions refuses conditions about what is not measured, before anything is computed.
func (j *checkJob) checkConditions(context.Context) error {
	return conditions.CheckMeasured(j.conditions, j.batch, j.Bundle.Manifest.Task, j.Schema.TargetName)
}

func (j *checkJob) compare(context.Context) (err error) {
	rows := j.ContextRows()
	if j.State != nil && rows.X.Rows < j.State.Rows {
		j.Notef("%s: check compares %d of %d rows: the state keeps no more",
			j.From.Train, rows.X.Rows, j.State.Rows)
	}
	j.found, err = check.Features(j.Schema, rows, j.batch, j.seed)
	return err
}

// judgeLabels scores labels, if the batch has any. Only this needs the model.
func (j *checkJob) judgeLabels(ctx context.Context) error {
	if j.batch.Labelled() == 0 {
		return nil
	}
	j.From.Running.Contexts = 2
	score := func(ctx context.Context) error {
		return j.From.Undivided(j.found.JudgeLabels(ctx, j.Fitted, j.batch, j.level, j.seed))
	}
	return j.Steps(ctx, j.Doing("loading the model", j.OpenModel),
		j.Doing("the model reads the context", j.Fit), j.Doing("scoring labels", score))
}

func (j *checkJob) judge(context.Context) error { return conditions.Judge(j.conditions, j.found) }

// write prints what was found, after the page.
func (j *checkJob) write(ctx context.Context) error {
	if j.to.Page != "" {
		if err := output.WriteFile(ctx, j.to.Page, j.page().Write); err != nil {
			return err
		}
	}
	if j.From.JSON {
		return fault.Writing(stdio.JSON(j.Std.Out, j.found))
	}
	if err := j.Std.Lines(append(j.found.Sentences(j.From.Train), "")...); err != nil {
		return fault.Writing(err)
	}
	return fault.Writing(output.PrintTable(j.Std.Out, checkTable(j.found)))
}

func checkTable(r check.Report) *report.Table {
	t := &report.Table{Names: 1, Header: []string{"column", "p", "shift/sd", "missing", "at fit",
		"new", "outside"}}
	number := func(v evaluate.Number, digits int) string {
		if v != v {
			return ""
		}
		return strconv.FormatFloat(float64(v), 'f', digits, 64)
	}
	for _, c := range r.Columns {
		p := number(c.P, 3)
		if c.P < 0.001 {
			p = "<0.001"
		}
		t.Rows = append(t.Rows, []string{c.Name, p, number(c.Shift, 2), number(c.Missing, 3),
			number(c.MissingAtFit, 3), number(c.New, 3), number(c.Outside, 3)})
	}
	return t
}

// mostDrawn is how many columns the picture has.
const mostDrawn = 24

// picture draws the change of the mean, and shares of cells, of the columns that differ most.
func picture(r check.Report) report.Chart {
	const order = "columns, most different first"
	panels := []report.Panel{{Y: "shift/sd", X: order, Target: []float64{0}},
		{Y: "share of cells", X: order, Range: []float64{0, 1}}}
	for k, name := range []string{"shift/sd", "missing", "new", "outside"} {
		p, s := &panels[min(k, 1)], report.Series{Name: name, Mark: report.Spans}
		for i, c := range r.Columns[:min(mostDrawn, len(r.Columns))] {
			v := float64([]evaluate.Number{c.Shift, c.Missing, c.New, c.Outside}[k])
			s.X = append(s.X, float64(i)+[]float64{0, -0.2, 0, 0.2}[k])
			s.Lo, s.Hi = append(s.Lo, min(0, v)), append(s.Hi, max(0, v))
			if k < len(panels) {
				p.Names = append(p.Names, c.Name)
			}
		}
		p.Series = append(p.Series, s)
	}
	return report.Chart{Panels: [][]report.Panel{panels}, Alt: "What differs"}
}

func (j *checkJob) page() report.Page {
	train, found := filepath.Base(j.From.Train), j.found
	found.File = filepath.Base(found.File)
	return report.Page{Title: fmt.Sprintf("Drift check: is %s like %s?", found.File, train),
		Verdict: found.Sentences(train),
		Sections: []report.Section{{Title: "What differs", Chart: picture(found)}, {Title: "Columns",
			Table: checkTable(found), Text: []string{
				"The columns that differ most come first. A column with p below 0.01 differs clearly."},
			List: []string{
				"p: probability of so large a difference in any column if both tables are alike",
				"shift/sd: change of the mean, in standard deviations of the training table",
				"missing: share of cells without a value, now and at the fit",
				"new: share of cells with a category that the training table lacks",
				"outside: share of cells outside the range of the training table"}}},
	}.With(j.Said, [][2]string{{"training table", j.From.Train}, {"batch", j.file},
		{"level", report.Level(j.level)}, {"seed", strconv.FormatUint(j.seed, 10)}})
}
