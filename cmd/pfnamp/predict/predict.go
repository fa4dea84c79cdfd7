// Package predict has the command `pfnamp predict`, of one table or of many.
package predict

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/explain"
	"github.com/pfnamp/pfnamp/joint"
	"github.com/pfnamp/pfnamp/tabular"
)

// predictJob is one run of `pfnamp predict`: a source, the query table, a predictor, which answers,
// and sinks, which take the answers. Its methods are its stages, in the order in which run calls
// them.
type predictJob struct {
	run.AskJob
	test      string
	tests     []string          // several query tables instead of test
	keepGoing bool              // leaves out those of them that are refused
	setting   map[string]string // flags that their predictions depend on
	to        output.Places
	prefix    string
	sql       bool      // names of computed columns need no quotes in SQL
	shard     run.Shard // rows of TEST, all without
	samples   string    // file of drawn labels, "" for columns of the table
	joint     jointOptions
	check     *checkSink           // of --check, nil without
	weighted  bool                 // --weights shift
	sets      []string             // changes of --set
	changes   []explain.Expression // the same, once the columns are known

	missingColumns bool // TEST may lack features

	queries queryTable
	sinks   sinks
	counts  *counters // the last of the sinks
	outputs output.Files
}

// Command is `pfnamp predict`.
func Command() *cli.Command {
	j := new(predictJob)
	return j.Command(&cli.Command{
		Name:        "predict",
		Usage:       "predict every row of TEST, with credible and predictive intervals",
		ArgsUsage:   "TRAIN TEST | STATE TEST | TABLE | TRAIN TEST... -o FOLDER",
		Description: predictHelp + "\n\n" + fault.ExitHelp,
	}, j.parse, func(ctx context.Context) error {
		if j.tests != nil {
			return (&partsJob{predictJob: *j}).run(ctx)
		}
		return j.OfTest(j.run(ctx))
	})
}

func (j *predictJob) parse(c *cli.Context) (err error) {
	j.prefix, j.sets, j.missingColumns = c.String("prefix"), c.StringSlice("set"),
		c.Bool("allow-missing-columns")
	j.From.Read.BatchRows = c.Int("batch")
	if err := run.Each(c, j.parseTables, j.ParseAsk, j.parseOutputs, j.parseJoint, j.parseShard,
		j.parseParts, j.parseCheck, j.parseWeights); err != nil {
		return err
	}
	if j.Question.Predictive != pfnamp.ConformalInterval {
		err = j.From.RefuseDivision(c)
	}
	j.From.SkipUnused(j.joint.groupBy, j.Question.ConformalBy, j.From.Fit.Time)
	return err
}

// parseTables reads TRAIN and TEST; they are the same where one file holds both.
func (j *predictJob) parseTables(c *cli.Context) error {
	train := c.Args().First()
	if j.test = c.Args().Get(1); c.NArg() == 1 {
		j.test = train
	}
	j.From.One = c.NArg() == 1 && !c.IsSet("test-sheet")
	switch {
	case c.NArg() == 0:
		return fault.Wrong("predict needs TRAIN and TEST, or one TABLE in which some rows lack the "+
			"target", "see `pfnamp predict --help`")
	case c.NArg() == 1 && pfnamp.IsState(train):
		return fault.Wrong(train+" is a saved state, and TEST is missing",
			"name the rows to predict: pfnamp predict STATE TEST")
	case j.From.One && (c.IsSet("test-header-row") || c.IsSet("test-decimal")):
		return fault.Wrong("one table has no TEST with names or a decimal sign of its own",
			"use --header-row or --decimal")
	case c.NArg() > 2 && slices.Contains(c.Args().Tail(), "-"):
		return fault.Wrong("standard input cannot be one of several tables", "name files only")
	case train == "-" && j.test == "-" && !j.From.One:
		return fault.Wrong("TRAIN and TEST cannot both be standard input",
			"for one table in which some rows lack the target: pfnamp predict -")
	}
	if tests := c.Args().Tail(); manyTables(tests) {
		j.tests, j.test = tests, ""
	}
	if pfnamp.IsState(j.test) {
		return run.IsState(j.test, "the state goes first: pfnamp predict STATE TEST")
	}
	if err := j.From.ParseSource(c); err != nil {
		return err
	}
	if err := tabular.CheckPath(j.test); j.tests == nil && err != nil {
		return err
	}
	return nil
}

func (j *predictJob) parseOutputs(c *cli.Context) (err error) {
	j.to, err = output.Parse(c)
	j.sql, j.samples = c.String("names") == sqlNames, c.String("samples-file")
	return err
}

func (j *predictJob) run(ctx context.Context) error {
	defer j.close()
	lap := j.Clock.Lap
	return j.Steps(ctx, j.to.Try, j.LoadBundle, j.CheckTask,
		j.Doing("reading "+filepath.Base(j.From.Train), j.openTraining),
		j.Doing("reading "+filepath.Base(j.test), j.openTest), j.weigh, lap("read"),
		j.Doing("loading the model", j.OpenModel), j.openSinks, lap("model"),
		j.Doing("the model reads "+filepath.Base(j.From.Train), j.Fit), lap("context"),
		j.Doing("preparing the answers", j.Prepare), lap("prepare"),
		j.predict, j.finish, lap("write"), j.tellResult,
		j.judgeTest)
}

// openTraining adds to that of all questions what is asked of several rows, and names of columns.
func (j *predictJob) openTraining(ctx context.Context) error {
	if err := j.AskJob.OpenTraining(ctx); err != nil {
		return err
	}
	if n := len(j.Layout.Names); j.joint.draws != "" && j.Classes() && n > 2 {
		return fault.Option("joint", fmt.Sprintf("cannot draw %d classes: it couples rows class by "+
			"class, so the draws would not sum to 1", n), "use --summary for averages of every class and "+
			"their differences")
	}
	j.Layout.Prefix, j.Layout.Bands = j.prefix, j.joint.bands
	j.Layout.Changes = len(j.sets) > 0
	if err := j.parseSets(); err != nil {
		return err
	}
	if j.samples != "" {
		j.Layout.Samples = 0
	}
	_, err := j.Layout.Columns()
	if err == nil && j.joint.summary != "" {
		err = joint.CheckEffects(j.Layout)
	}
	return j.ColumnTwice(err)
}

func (j *predictJob) openTest(ctx context.Context) error {
	j.queries.job = j
	return j.queries.open(ctx)
}

func (j *predictJob) predict(ctx context.Context) error {
	progress := j.Telling()
	progress.Doing, progress.Unit, progress.Total = "", "rows", j.queries.Rows()
	progress.Read = j.queries.Share
	progress.Begin()
	defer progress.Finish()
	for {
		batch, err := j.queries.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := j.Predictor.Ready(ctx); err != nil {
			return err
		}
		batch.Lacking = j.missingColumns
		answer, err := j.Predictor.Predict(ctx, batch)
		if err != nil {
			return err
		}
		if err := j.sinks.Add(ctx, j.answered(batch, answer)); err != nil {
			return err
		}
		progress.Count(j.counts.rows)
	}
}

// finish tells the sinks that there are no more rows, makes the outputs appear and says what was
// done.
func (j *predictJob) finish(ctx context.Context) error {
	if err := j.sinks.Finish(ctx); err != nil {
		return err
	}
	if err := j.Clock.Lap("predict")(ctx); err != nil {
		return err
	}
	if err := j.outputs.Commit(); err != nil {
		return err
	}
	if j.to.Plot != "" && j.counts.rows == 0 {
		j.Warnf("%s has no row to draw, so %s is not written", j.test, j.to.Plot)
		j.to.Plot = ""
	}
	j.counts.noteScores()
	j.noteSummary()
	return nil
}

func (j *predictJob) tellResult(ctx context.Context) error {
	return j.TellResult(ctx, j.to, func(r *run.Result) error {
		r.Rows, r.Shard = &j.counts.rows, j.shard.String()
		if scores := j.counts.scored(); scores != nil {
			r.Scores = scores
		}
		if j.check != nil && j.check.batch.Rows > 0 {
			r.Check = &j.check.found
		}
		test, err := j.ReadFacts(j.test)
		if r.Test = &test; err != nil || j.to.Table == "" {
			return err
		}
		fields, err := j.fields()
		r.SetColumns(fields)
		return err
	})
}

func (j *predictJob) close() {
	j.closeTable()
	j.AskJob.Close()
}

func (j *predictJob) closeTable() {
	j.outputs.Discard()
	if j.queries.Reader != nil {
		j.queries.Close()
	}
}
