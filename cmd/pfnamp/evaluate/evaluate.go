// Package evaluate has the command that scores models on a table.
package evaluate

import (
	"context"
	"os"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/folds"
)

// job is one run of `pfnamp evaluate`. Its methods are its stages, in the order in which
// run calls them.
type job struct {
	run.Job // its training table is DATA
	gate    gate
	out     string // folder, "" for none
	junit   string // file, "" for none
	rows    int    // at most so many rows of DATA; 0 for all
	asked   bool   // functionals were given
	folds   bool   // the number of folds was given
	setting evaluate.Setting

	table    evaluate.Table
	store    *evaluate.Store
	parts    []folds.Fold // of a cross-validation, or one for all splits
	cells    []evaluate.Cell
	outcomes []evaluate.Outcome
}

const evaluateHelp = `Scores the model on your own table.

5-fold cross-validation (--folds) predicts every row by a model that has not read
it, and compares the predictions with the labels, beside simple baselines. Scores are in the
unit of the target. Split the rows as future rows will differ: --group patient keeps the rows
of a patient together and so scores new patients; --time date predicts later rows from
earlier ones.

With --splits N, the model reads a random --train-share of the rows and predicts the rest, N
times. This also scores credible intervals. The truth is unknown, so they are compared with a
surrogate: what the model predicts after it has read the other rows instead. All posteriors
of pfnamp predict and a bootstrap are compared. Widths, scores and errors are in standard deviations of the target.

For classes (texts, true and false, or --task classification), the scores are log loss, Brier
score, AUC of one class against the rest, accuracy and calibration error. The baselines are
logistic regression and the shares of the classes. --splits adds the credible interval of
every class's probability. Every class is split by itself.

-o FOLDER writes results.json, .csv and .parquet, figures and report.html there. Finished
parts are kept in FOLDER/cells: after an interruption the same command continues.

In CI, --baseline compares with the results.json of an earlier evaluation of the same table
with the same flags. --fail-if exits with status 6 if a condition holds: 'crps>+2%' (CRPS is
more than 2 % above the baseline), 'coverage<0.85' (an absolute bound), 'crps_below_ridge_lo<0'
(not clearly better than ridge regression), or METHOD:FUNCTIONAL:METRIC of results.csv, such as
'paper:mean:width>+0.1'. For classes: 'log_loss>+2%', 'auc<0.8', 'limit:p=yes:coverage<0.8'.

EXAMPLES
   pfnamp evaluate data.csv --target y -o evaluation
   pfnamp evaluate data.csv --target y --group patient
   pfnamp evaluate data.csv --target y -f mean,q0.9 --splits 5 --bootstrap 0
   pfnamp evaluate data.csv --target y --baseline old/results.json --fail-if 'crps>+2%'`

// Command returns the command evaluate.
func Command() *cli.Command {
	j := new(job)
	return j.Command(&cli.Command{
		Name:        "evaluate",
		Usage:       "score predictions and credible intervals on your data",
		ArgsUsage:   "DATA",
		Description: evaluateHelp + "\n\n" + fault.ExitHelp,
	}, j.parse, j.run)
}

func (j *job) parse(c *cli.Context) (err error) {
	if err := j.From.ParseTrain(c.Args().First()); err != nil {
		return err
	}
	j.From.SkipUnused(j.From.Fit.Time)
	j.asked, j.folds = c.IsSet("functional"), c.IsSet("folds")
	j.out, j.junit, j.rows = c.String("output"), c.String("junit"), c.Int("rows")
	if info, err := os.Stat(j.out); err == nil && !info.IsDir() {
		return fault.Option("output", strconv.Quote(j.out)+" is a file", "name a folder: -o FOLDER")
	}
	return run.Each(c, j.parseSetting, j.gate.parse)
}

func (j *job) parseSetting(c *cli.Context) (err error) {
	j.setting = evaluate.Setting{
		Seed: c.Uint64("seed"), Level: c.Float64("level"),
		Chains: c.Int("chains"), Steps: c.Int("steps"),
		Splits: c.Int("splits"), Share: c.Float64("train-share"), Refits: c.Int("bootstrap"),
		Workers: 1,
	}
	if !c.IsSet("splits") && !c.IsSet("train-share") {
		j.setting.Folds = c.Int("folds")
	}
	if j.setting.Refits == 1 {
		return fault.Option("bootstrap", "1 is less than 2", "to skip the bootstrap, use --bootstrap 0")
	}
	asked := strings.Join(c.StringSlice("functional"), ",")
	if j.setting.Functionals, err = amp.ParseFunctionals(asked); err != nil {
		return fault.Option("functional", err.Error(), "")
	}
	return nil
}

func (j *job) run(ctx context.Context) error {
	defer j.Close()
	return j.Steps(ctx, j.Doing("reading the table", j.openTable),
		j.Doing("loading the model", j.openNetwork), j.noteOrder, j.check, j.openStore, j.compute,
		j.write, j.judge)
}
