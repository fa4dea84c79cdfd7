// Package check has the command `pfnamp check`.
package check

import (
	"context"
	"path/filepath"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/check"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/conditions"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
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
		j.Doing("reading "+filepath.Base(j.file), j.readBatch), j.checkConditions,
		j.Doing("comparing the features", j.compare), j.judgeLabels, j.write, j.judge))
}
