package main

import (
	"context"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
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

// nextOptions is the command line of `pfnamp next`, parsed.
type nextOptions struct {
	contextOptions
	candidates string
	choice     next.Options
	cost       string
	out        string
	format     tabular.Format
	question   pfnamp.Question
	digits     int
}

func nextCommand(std stdio.Streams) *cli.Command {
	return &cli.Command{
		Name:        "next",
		Usage:       "rank candidates by what measuring them is expected to gain",
		ArgsUsage:   "TRAIN CANDIDATES | STATE CANDIDATES",
		Description: nextHelp + "\n\n" + fault.ExitHelp,
		Action:      parsed(parseNext, runNext, std),
	}
}

// parseNext turns flags into options and reports the first wrong one.
func parseNext(c *cli.Context) (nextOptions, error) {
	shared, err := parseContext(c)
	opt := nextOptions{contextOptions: shared, cost: oneColumn(c, "cost"), digits: c.Int("digits"),
		out: standardOutput(c.String("output")), choice: next.Options{Batch: c.Int("batch")},
		question: pfnamp.Question{Level: c.Float64("level"), Seed: c.Uint64("seed"), Chains: next.Draws,
			AllowNew: c.Bool(allowNew), Functionals: []amp.Functional{amp.Mean{}}}}
	if err != nil {
		return opt, err
	}
	for _, step := range []func(*cli.Context) error{opt.parseTables, opt.parseGoal} {
		if err := step(c); err != nil {
			return opt, err
		}
	}
	if opt.model == "" && !opt.saved {
		opt.contextOptions.task = models.RegressionTask
	}
	if !c.IsSet("target-values") && !opt.saved { // what is best may lie beyond what was measured
		opt.fit.Values = &amp.Support{}
	}
	opt.format, err = parseWritten(c)
	if err == nil {
		_, err = tableFormat(opt.out, opt.format)
	}
	return opt, err
}

// parseTables takes the two arguments.
func (o *nextOptions) parseTables(c *cli.Context) error {
	if c.NArg() != 2 {
		return wrongCount(c, "two arguments, TRAIN and CANDIDATES")
	}
	train := c.Args().First()
	o.candidates = c.Args().Get(1)
	if train == "-" && o.candidates == "-" {
		return fault.Wrong("TRAIN and CANDIDATES cannot both be standard input", "")
	}
	if o.saved = pfnamp.IsState(train); o.saved {
		if err := settled(c, train); err != nil {
			return err
		}
	}
	if err := o.parseTrain(train); err != nil {
		return err
	}
	if err := tabular.CheckPath(o.candidates); err != nil {
		return err
	}
	return checkDistinct(o.out, o.train, o.candidates)
}

// parseGoal reads --for.
func (o *nextOptions) parseGoal(c *cli.Context) (err error) {
	const hint = "minimum and maximum look for the best row, target=100 for a value, learn for rows " +
		"that teach the mean"
	if !c.IsSet("for") {
		return fault.Option("for", "GOAL is missing", hint)
	}
	if o.choice.Goal, err = next.ParseGoal(c.String("for")); err != nil {
		return fault.Option("for", err.Error(), hint)
	}
	return nil
}

// runNext does the whole job.
func runNext(ctx context.Context, opt nextOptions, std stdio.Streams) error {
	job := &nextJob{opt: opt, start: time.Now(),
		contextJob: contextJob{from: opt.contextOptions, std: std}}
	defer job.close()
	return job.steps(ctx,
		func(ctx context.Context) error { return tryFile(ctx, opt.out) }, job.loadBundle,
		job.checkTask, job.doing("reading "+filepath.Base(opt.train), job.openContext), job.checkTask,
		job.doing("reading "+filepath.Base(opt.candidates), job.read),
		job.doing("loading the model", job.load),
		job.doing("the model reads "+filepath.Base(opt.train), job.fit),
		job.doing("asking about "+filepath.Base(opt.candidates), job.choose), job.write)
}
