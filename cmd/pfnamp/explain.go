package main

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
)

const explainHelp = `Shows what drives the prediction. A STATE of pfnamp fit can replace TRAIN. By default
explain sets every column in turn to one value after the other in all rows of TRAIN, and
averages the predictions (partial dependence).

OUTPUT COLUMNS, for the functional mean and the level 0.9:
   column, value             the column, and the value that all rows get
   rows                      rows of TRAIN with this value, or nearest to it
   support                   share of changed rows that are near a row of TRAIN:
                             below 0.5 the model extrapolates
   averaged                  number of rows in each average
   mean, mean_lo, mean_hi    average prediction and its 90 % credible interval
   mean_band_lo, _band_hi    band that holds at all values of the column at once
   mean_error                error of averaging a part of the rows only

Effects are what the model expects of rows with these values. They are not causal: a
column may stand in for another one that the table lacks.

--treatment COLUMN compares the two values of a column: the average label of all rows under
each value, adjusted for the other columns, and corrected where the model errs in one of the
groups. The table has both averages and three differences: adjusted, by the model alone, and
not adjusted. A note warns where the two groups have no comparable rows. --group-by COLUMN
adds the adjusted difference among the rows with each value of another column.

` + importanceHelp + `

EXAMPLES
   pfnamp explain train.csv -y price
   pfnamp explain train.csv -y price --importance -o importance.csv --plot importance.svg
   pfnamp explain train.csv -y price --effect area,town -f 'mean,p>500' -o effects.parquet
   pfnamp explain train.csv -y price --effect area:age -o surface.png
   pfnamp explain train.csv -y price --treatment airco
   pfnamp explain price.state -o report.html`

// explainOptions is the command line of `pfnamp explain`, parsed.
type explainOptions struct {
	predictOptions
	effects   []string // columns, or pairs a:b; nil for every column
	points    int      // values of a column of numbers
	treatment string   // column with two values, "" for none
	groupBy   string   // column in whose groups the treatment is compared too, "" for none

	importance bool
	correlated float64 // see explain.ImportanceOptions
}

func explainCommand(std stdio.Streams) *cli.Command {
	return &cli.Command{
		Name:        "explain",
		Usage:       "show what drives the prediction: effects of columns, with credible bands",
		ArgsUsage:   "TRAIN | STATE",
		Description: explainHelp + "\n\n" + fault.ExitHelp,
		Action:      parsed(parseExplain, runExplain, std),
	}
}

// parseExplain turns flags into options and reports the first wrong one.
func parseExplain(c *cli.Context) (explainOptions, error) {
	shared, err := parseContext(c)
	opt := explainOptions{points: c.Int("points")}
	opt.contextOptions = shared
	opt.out, opt.plot, opt.report = standardOutput(c.String("output")), c.String("plot"),
		c.String("report")
	opt.digits, opt.escape = c.Int("digits"), c.Bool("escape-formulas")
	opt.joint.length = c.Float64("length")
	if err != nil {
		return opt, err
	}
	for _, step := range []func(*cli.Context) error{
		opt.parseTable, opt.parseQuestion, opt.parsePosterior, opt.parseFormats, opt.check,
		opt.parseNumbers, opt.parseEffects, opt.parseTreatment, opt.parseImportance,
	} {
		if err := step(c); err != nil {
			return opt, err
		}
	}
	opt.skipUnused()
	if err := opt.checkOutputs(); err != nil {
		return opt, err
	}
	opt.numbers = slices.DeleteFunc(opt.numbers, func(flag string) bool { return flag == "plot" })
	opt.out, opt.plot, opt.report, err = opt.places()
	return opt, err
}

// parseTable takes the only argument.
func (o *explainOptions) parseTable(c *cli.Context) error {
	if c.NArg() != 1 {
		return wrongCount(c, "one argument, TRAIN or STATE")
	}
	train := c.Args().First()
	if o.saved = pfnamp.IsState(train); o.saved {
		if err := settled(c, train); err != nil {
			return err
		}
	}
	return o.parseTrain(train)
}

// parseEffects reads which effects are asked for, and at how many points.
func (o *explainOptions) parseEffects(c *cli.Context) error {
	var err error
	if o.effects, err = list(c, "effect"); err != nil {
		return err
	}
	if c.IsSet("points") && o.points < 2 || o.points > mostEffectPoints {
		return outside("--points", o.points, 2, mostEffectPoints)
	}
	return nil
}

// parseTreatment reads which column has the arms.
func (o *explainOptions) parseTreatment(c *cli.Context) error {
	o.treatment, o.groupBy = oneColumn(c, "treatment"), oneColumn(c, "group-by")
	if !c.IsSet("treatment") {
		return needs(c, "--treatment COLUMN", "group-by")
	}
	if o.treatment == "" {
		return fault.Option("treatment", "is empty", "name the column that says which rows "+
			"were treated")
	}
	if o.groupBy == o.treatment {
		return fault.Option("group-by", quote(o.groupBy)+" is the --treatment itself",
			"name another column, or drop --group-by")
	}
	o.contexts = 2
	return refuse(c, "and --treatment cannot be combined", "drop one of them",
		"effect", "points")
}

// mostEffectPoints bounds the values of a column.
const mostEffectPoints = 200

// runExplain does the whole job: read, fit, average, write.
func runExplain(ctx context.Context, opt explainOptions, std stdio.Streams) error {
	job := newExplainJob(opt, std)
	defer job.close()
	lap := job.clock.lap
	return job.steps(ctx, job.checkOutputs, job.loadBundle, job.checkTask,
		job.doing("reading "+filepath.Base(opt.train), job.openTraining), job.check, lap("read"),
		job.doing("loading the model", job.openModel), job.openOutputs, lap("model"),
		job.doing("the model reads "+filepath.Base(opt.train), job.fit), lap("context"),
		job.doing("preparing the answers", job.prepare), lap("prepare"),
		job.explain, lap("explain"), job.finish, lap("write"), job.tellResult)
}

// newExplainJob starts a job.
func newExplainJob(opt explainOptions, std stdio.Streams) *explainJob {
	return &explainJob{opt: opt, askJob: newAskJob(opt.predictOptions, std)}
}
