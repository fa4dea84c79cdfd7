// Package next has the command `pfnamp next`.
package next

import (
	"context"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/next"
	"github.com/pfnamp/pfnamp/tabular"
)

const nextHelp = `Chooses what to measure next. TRAIN holds the measured rows; a STATE of pfnamp fit can
replace it. CANDIDATES holds the rows that you could measure. The result ranks them:

   rank           1 for the row to measure first
   row            the row of CANDIDATES, from 1
   gain           expected improvement on the best row of TRAIN, in the unit of the target;
                  for learn: share by which the variance of the mean over CANDIDATES falls
   mean, mean_lo, mean_hi   expected label with a 90 % credible interval

GOALS: --for minimum or maximum finds rows with a low or high mean, target=100 rows near a
value, and learn rows that teach the most about the mean over CANDIDATES.

--batch K chooses K rows to be measured together. They differ: the second is chosen as if the
first had been measured. Without it every row is ranked by its own gain.
--cost names a column of CANDIDATES that gains are divided by. It is a feature only if TRAIN
has it too.

EXAMPLES
   pfnamp next tried.csv possible.csv -y loss --for minimum
   pfnamp next tried.csv possible.csv -y yield --for maximum --batch 8 --cost price -o plan.csv
   pfnamp next survey.csv villages.csv -y income --for learn --batch 20`

// nextJob is one run of `pfnamp next`. Its methods are its stages, in the order in which run calls
// them.
type nextJob struct {
	run.Job
	file     string // of the candidates
	choice   next.Options
	cost     string
	to       output.Places
	question pfnamp.Question

	candidates *tabular.Table
	estimates  []amp.Estimate // of the mean, by candidate
	choices    []next.Choice
}

// Command is `pfnamp next`.
func Command() *cli.Command {
	j := new(nextJob)
	return j.Command(&cli.Command{
		Name:        "next",
		Usage:       "rank candidates by what measuring them is expected to gain",
		ArgsUsage:   "TRAIN|STATE CANDIDATES",
		Description: nextHelp + "\n\n" + fault.ExitHelp,
	}, j.parse, j.run)
}

func (j *nextJob) parse(c *cli.Context) (err error) {
	j.cost, j.choice = run.OneColumn(c, "cost"), next.Options{Batch: c.Int("batch")}
	j.question = pfnamp.Question{Level: c.Float64("level"), Seed: c.Uint64("seed"),
		Chains: next.Draws, AllowNew: c.Bool("allow-new"), Functionals: []amp.Functional{amp.Mean{}}}
	if err := j.parseTables(c); err != nil {
		return err
	}
	if err := j.parseGoal(c); err != nil {
		return err
	}
	if j.From.Model == "" && !j.From.Saved {
		j.From.Task = models.RegressionTask
	}
	if !c.IsSet("target-values") && !j.From.Saved { // what is best may lie beyond what was measured
		j.From.Fit.Values = &amp.Support{}
	}
	if j.to, err = output.Parse(c); err != nil {
		return err
	}
	j.to.TableOnly = true
	return j.to.Settle(j.From.Train, j.file)
}

func (j *nextJob) parseTables(c *cli.Context) error {
	j.file = c.Args().Get(1)
	if c.Args().First() == "-" && j.file == "-" {
		return fault.Wrong("TRAIN and CANDIDATES cannot both be standard input", "")
	}
	if err := j.From.ParseSource(c); err != nil {
		return err
	}
	return tabular.CheckPath(j.file)
}

func (j *nextJob) parseGoal(c *cli.Context) (err error) {
	const hint = "minimum and maximum look for the best row, target=100 for a value, learn for rows " +
		"that teach the mean"
	if !c.IsSet("for") {
		return fault.Option("for", "GOAL is missing", hint)
	}
	if j.choice.Goal, err = next.ParseGoal(c.String("for")); err != nil {
		return fault.Option("for", err.Error(), hint)
	}
	j.From.Running.Refit = j.choice.Goal.Aim == next.Learn // in cross-validation
	return nil
}

func (j *nextJob) run(ctx context.Context) error {
	defer j.Close()
	return j.OfTest(j.Steps(ctx, j.to.Try, j.LoadBundle, j.checkTask,
		j.Doing("reading "+filepath.Base(j.From.Train), j.openContext), j.checkTask,
		j.Doing("reading "+filepath.Base(j.file), j.read),
		j.Doing("loading the model", j.OpenModel),
		j.Doing("the model reads "+filepath.Base(j.From.Train), j.Fit),
		j.Doing("asking about "+filepath.Base(j.file), j.choose), j.write))
}
