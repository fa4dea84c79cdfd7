package main

import (
	"context"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
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

// checkOptions is the command line of `pfnamp check`, parsed.
type checkOptions struct {
	contextOptions
	batch      string
	out        string // page, "" for none
	level      float64
	seed       uint64
	conditions []condition
}

func checkCommand(std stdio.Streams) *cli.Command {
	return &cli.Command{
		Name:        "check",
		Usage:       "test whether new rows differ from TRAIN (drift), with or without labels",
		ArgsUsage:   "TRAIN|STATE BATCH",
		Description: checkHelp + "\n\n" + fault.ExitHelp,
		Action:      parsed(parseCheck, runCheck, std),
	}
}

// parseCheck turns flags into options and reports the first wrong one.
func parseCheck(c *cli.Context) (checkOptions, error) {
	shared, err := parseContext(c)
	opt := checkOptions{contextOptions: shared, out: c.String("output"), level: c.Float64("level"),
		seed: c.Uint64("seed")}
	if err != nil {
		return opt, err
	}
	if c.NArg() != 2 {
		return opt, wrongCount(c, "two arguments, TRAIN (or STATE) and BATCH")
	}
	train := c.Args().First()
	opt.batch = c.Args().Get(1)
	if opt.saved = pfnamp.IsState(train); opt.saved {
		if err := settled(c, train); err != nil {
			return opt, err
		}
	}
	if err := opt.parseTrain(train); err != nil {
		return opt, err
	}
	if err := opt.parseDivision(c); err != nil {
		return opt, err
	}
	if err := opt.refuseDivision(c); err != nil {
		return opt, err
	}
	opt.skipUnused()
	if pfnamp.IsState(opt.batch) {
		return opt, isState(opt.batch, "the state goes first: pfnamp check STATE BATCH")
	}
	if c.IsSet("output") && filepath.Ext(opt.out) != ".html" {
		return opt, fault.Option("output", quote(opt.out)+" does not end in .html",
			"name a .html file for the report; the table is on standard output")
	}
	if err := tabular.CheckPath(opt.batch); err != nil {
		return opt, err
	}
	opt.conditions, err = parseCheckConditions(c)
	return opt, err
}

// runCheck does the whole job.
func runCheck(ctx context.Context, opt checkOptions, std stdio.Streams) error {
	if opt.out != "" {
		if err := checkDistinct(opt.out, opt.train, opt.batch); err != nil {
			return err
		}
	}
	job := &checkJob{opt: opt, contextJob: contextJob{from: opt.contextOptions, std: std}}
	defer job.close()
	return job.steps(ctx, job.loadBundle, job.doing("reading "+filepath.Base(opt.train), job.open),
		job.doing("reading "+filepath.Base(opt.batch), job.readBatch), job.checkConditions,
		job.doing("comparing the features", job.compare), job.judgeLabels, job.write, job.judge)
}
