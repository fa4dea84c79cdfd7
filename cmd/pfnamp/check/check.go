// Package check has the command `pfnamp check`.
package check

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/check"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/conditions"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/tabular"
)

const checkHelp = `Tests whether BATCH differs from the rows that the model has read (drift). A STATE of
pfnamp fit can replace TRAIN.

Without labels, check compares the features: a classifier tries to tell rows of BATCH from
rows of TRAIN, and each column is tested. p is the probability of so large a difference if both
tables are alike; drift is 0 unless p is below 0.01. For each column check counts missing cells,
new categories and values outside the range. It also says how many rows of TRAIN resemble BATCH.

With labels, in the column of --target, check adds the coverage of predictive intervals, the
score beside that of TRAIN (5-fold cross-validation; --group and --time split TRAIN as new
rows will differ), and a martingale. The martingale bets, row after row, against BATCH being
like TRAIN: it reaches 100 by chance in at most 1 of 100 batches.

--fail-if exits with status 6 if a condition holds. Its figures are drift, p, auc, supported
and effective_rows; missing, new and outside (the largest share of any column); with labels
new_labels (share of classes that TRAIN lacks), martingale, coverage, accuracy and score
(relative to the fit: 'score>1.2' is 20 % worse).

EXAMPLES
   pfnamp check train.csv batch.csv --target y
   pfnamp check price.state batch.csv --fail-if 'drift>0.01' --fail-if 'martingale>100'
   pfnamp check price.state batch.csv -o check.html --json`

// checkJob is one run of `pfnamp check`. Its methods are its stages, in the order in which run
// calls them.
type checkJob struct {
	run.Job
	to         output.Places // a page alone
	file       string        // of the batch
	level      float64
	seed       uint64
	conditions []conditions.Condition

	batch check.Batch
	found check.Report
}

// Command is `pfnamp check`.
func Command() *cli.Command {
	j := new(checkJob)
	return j.Command(&cli.Command{
		Name:        "check",
		Usage:       "test whether new rows differ from TRAIN (drift), with or without labels",
		ArgsUsage:   "TRAIN|STATE BATCH",
		Description: checkHelp + "\n\n" + fault.ExitHelp,
	}, j.parse, j.run)
}

func (j *checkJob) parse(c *cli.Context) (err error) {
	j.file, j.level, j.seed = c.Args().Get(1), c.Float64("level"), c.Uint64("seed")
	if err := run.Each(c, j.From.ParseSource, j.From.RefuseDivision); err != nil {
		return err
	}
	j.From.SkipUnused()
	if pfnamp.IsState(j.file) {
		return run.IsState(j.file, "the state goes first: pfnamp check STATE BATCH")
	}
	if j.to.Page = c.String("output"); c.IsSet("output") && !output.IsPage(j.to.Page) {
		return fault.Option("output", strconv.Quote(j.to.Page)+" does not end in .html",
			"name a .html file for the report; the table is on standard output")
	}
	if err := tabular.CheckPath(j.file); err != nil {
		return err
	}
	if j.conditions, err = conditions.Parse(c); err != nil {
		return err
	}
	return j.to.Settle(j.From.Train, j.file)
}

func (j *checkJob) run(ctx context.Context) error {
	defer j.Close()
	return j.OfTest(j.Steps(ctx, j.LoadBundle, j.Doing("reading "+filepath.Base(j.From.Train), j.Open),
		j.Doing("reading "+filepath.Base(j.file), j.readBatch),
		j.Doing("comparing the features", j.compare), j.judgeLabels, j.write, j.judge))
}

// readBatch reads the batch, and refuses conditions about what it does not measure, before anything
// is computed.
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
	if err != nil {
		return err
	}
	return conditions.CheckMeasured(j.conditions, j.batch, j.Bundle.Manifest.Task, j.Schema.TargetName)
}

func (j *checkJob) compare(context.Context) (err error) {
	rows := j.Context
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
