package main

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
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/joint"
	"github.com/pfnamp/pfnamp/tabular"
)

// predictJob is one run of `pfnamp predict`: a source, the query table, a predictor, which answers,
// and sinks, which take the answers. Its methods are its stages, in the order in which run calls
// them.
type predictJob struct {
	askJob
	test       string
	testSheet  string   // sheet of test where it is not that of TRAIN
	tests      []string // several query tables instead of test
	keepGoing  bool     // leaves out those of them that are refused
	to         places
	prefix     string
	sql        bool   // names of computed columns need no quotes in SQL
	shard      shard  // rows of TEST, all without
	samples    string // file of drawn labels, "" for columns of the table
	joint      jointOptions
	checked    bool // --check
	weighted   bool // --weights shift
	conditions []condition
	sets       []string // changes of --set

	missingColumns bool // TEST may lack features

	queries queryTable
	sinks   sinks
	counts  *counters // the last of the sinks
	outputs outputs
}

func predictCommand(std stdio.Streams) *cli.Command {
	return &cli.Command{
		Name:        "predict",
		Usage:       "predict every row of TEST, with credible and predictive intervals",
		ArgsUsage:   "TRAIN TEST | STATE TEST | TABLE | TRAIN TEST... -o FOLDER",
		Description: predictHelp + "\n\n" + fault.ExitHelp,
		Action: func(c *cli.Context) error {
			job := &predictJob{askJob: askJob{contextJob: newContextJob(std)}}
			if err := job.parse(c); err != nil {
				return err
			}
			if job.tests != nil {
				return (&partsJob{predictJob: *job}).run(c.Context)
			}
			return job.run(c.Context)
		},
	}
}

func (j *predictJob) parse(c *cli.Context) (err error) {
	if j.from, err = parseContext(c); err != nil {
		return err
	}
	j.prefix, j.sets, j.missingColumns = c.String("prefix"), c.StringSlice("set"),
		c.Bool("allow-missing-columns")
	j.from.read.BatchRows = c.Int("batch")
	for _, step := range []func(*cli.Context) error{
		j.parseTables, j.parseAsk, j.parseOutputs, j.parseJoint, j.parseShard, j.parseParts,
		j.parseCheck, j.parseWeights,
	} {
		if err := step(c); err != nil {
			return err
		}
	}
	if j.question.Predictive != pfnamp.ConformalInterval {
		err = j.from.refuseDivision(c)
	}
	j.from.skipUnused(j.joint.groupBy, j.question.ConformalBy, j.from.fit.Time)
	return err
}

// parseTables reads TRAIN and TEST; they are the same where one file holds both.
func (j *predictJob) parseTables(c *cli.Context) error {
	train := c.Args().First()
	if j.test = c.Args().Get(1); c.NArg() == 1 {
		j.test = train
	}
	j.from.one, j.testSheet = c.NArg() == 1 && !c.IsSet("test-sheet"), c.String("test-sheet")
	switch {
	case c.NArg() == 0:
		return wrongCount(c, "TRAIN and TEST, or one TABLE in which some rows lack the target")
	case c.NArg() == 1 && pfnamp.IsState(train):
		return fault.Wrong(train+" is a saved state, and TEST is missing",
			"name the rows to predict: pfnamp predict STATE TEST")
	case c.NArg() > 2 && slices.Contains(c.Args().Tail(), "-"):
		return fault.Wrong("standard input cannot be one of several tables", "name files only")
	case train == "-" && j.test == "-" && !j.from.one:
		return fault.Wrong("TRAIN and TEST cannot both be standard input",
			"for one table in which some rows lack the target: pfnamp predict -")
	}
	if tests := c.Args().Tail(); manyTables(tests) {
		j.tests, j.test = tests, ""
	}
	if pfnamp.IsState(j.test) {
		return isState(j.test, "the state goes first: pfnamp predict STATE TEST")
	}
	if err := j.from.parseSource(c); err != nil {
		return err
	}
	if err := tabular.CheckPath(j.test); j.tests == nil && err != nil {
		return err
	}
	return nil
}

// parseOutputs reads the flags about outputs but for those of coupled rows.
func (j *predictJob) parseOutputs(c *cli.Context) (err error) {
	j.to, err = placesOf(c)
	j.sql, j.samples = c.String("names") == sqlNames, c.String("samples-file")
	return err
}

// run does the whole job: read, fit, draw, predict, write.
func (j *predictJob) run(ctx context.Context) error {
	defer j.close()
	lap := j.clock.lap
	return j.steps(ctx, j.to.try, j.loadBundle, j.checkTask,
		j.doing("reading "+filepath.Base(j.from.train), j.openTables), j.weigh, lap("read"),
		j.doing("loading the model", j.openModel), j.openSinks, lap("model"),
		j.doing("the model reads "+filepath.Base(j.from.train), j.fit), lap("context"),
		j.doing("preparing the answers", j.prepare), lap("prepare"),
		j.predict, j.finish, lap("write"), j.tellResult,
		j.judgeTest)
}

// openTables reads the training table or the saved state and opens the query table.
func (j *predictJob) openTables(ctx context.Context) error {
	if err := j.openTraining(ctx); err != nil {
		return err
	}
	return j.openTest(ctx)
}

// openTraining adds to that of all questions what is asked of several rows, and names of columns.
func (j *predictJob) openTraining(ctx context.Context) error {
	if err := j.askJob.openTraining(ctx); err != nil {
		return err
	}
	if n := len(j.layout.Names); j.joint.draws != "" && j.classes() && n > 2 {
		return fault.Option("joint", fmt.Sprintf("cannot draw %d classes: it couples rows class by "+
			"class, so the draws would not sum to 1", n), "use --summary for averages of every class and "+
			"their differences")
	}
	j.layout.Prefix, j.layout.Bands = j.prefix, j.joint.bands
	j.layout.Changes = len(j.sets) > 0
	if _, err := parseSets(j.sets, j.schema); err != nil {
		return err
	}
	if j.samples != "" {
		j.layout.Samples = 0
	}
	_, err := j.layout.Columns()
	if err == nil && j.joint.summary != "" {
		err = joint.CheckEffects(j.layout)
	}
	return j.columnTwice(err)
}

func (j *predictJob) openTest(ctx context.Context) error {
	j.queries.job = j
	return j.queries.open(ctx)
}

// prepare draws what all rows share: the chains and the dependence between rows.
func (j *predictJob) prepare(ctx context.Context) error {
	if err := j.ask(ctx); err != nil {
		return err
	}
	for _, s := range j.sinks {
		if c, ok := s.(*together); ok {
			if err := c.couple(); err != nil {
				return j.questionFailure(ctx, err)
			}
		}
	}
	j.noteQuestion()
	return nil
}

// predict streams the query table through the model.
func (j *predictJob) predict(ctx context.Context) error {
	progress := j.telling()
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
		if err := j.predictor.Ready(ctx); err != nil {
			return err
		}
		answer, err := j.predictor.Predict(ctx, batch)
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
	if err := j.clock.lap("predict")(ctx); err != nil {
		return err
	}
	if err := j.outputs.commit(); err != nil {
		return err
	}
	if j.to.plot != "" && j.counts.rows == 0 {
		j.warnf("%s has no row to draw, so %s is not written", j.test, j.to.plot)
	}
	j.counts.noteScores()
	j.noteSummary()
	return nil
}

// written lists what was written, "-" for standard output: without rows there is no figure.
func (j *predictJob) written() []string {
	return slices.DeleteFunc(j.to.written(), func(path string) bool {
		return path == j.to.plot && j.counts.rows == 0
	})
}

// tellResult writes the result to the file of --summary-json, and prints it if --json asks for it.
func (j *predictJob) tellResult(ctx context.Context) error {
	if !j.from.json && j.to.json == "" {
		return nil
	}
	r, err := j.result("predict", j.written())
	if err != nil {
		return err
	}
	r.Rows, r.Shard = &j.counts.rows, j.shard.String()
	if scores := j.counts.scored(); scores != nil {
		r.Scores = scores
	}
	if s := j.checking(); s != nil && s.batch.X.Rows > 0 {
		r.Check = &s.found
	}
	test, err := j.readFacts(j.test)
	if err != nil {
		return err
	}
	if r.Test = &test; j.to.table != "" {
		fields, err := j.fields()
		if err != nil {
			return err
		}
		for _, field := range fields {
			r.Columns = append(r.Columns, columnResult{field.Name, field.Type.String()})
		}
	}
	if j.to.json != "" {
		if err := writeJSON(ctx, j.to.json, r); err != nil {
			return err
		}
	}
	if !j.from.json {
		return nil
	}
	return j.tell(r, j.to)
}

// close frees everything; after finish nothing is left to discard.
func (j *predictJob) close() {
	j.closeTable()
	j.askJob.close()
}

// closeTable frees what belongs to the query table.
func (j *predictJob) closeTable() {
	j.outputs.discard()
	if j.queries.Reader != nil {
		j.queries.Close()
	}
}
