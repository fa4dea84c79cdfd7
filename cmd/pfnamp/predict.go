package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/tabular"
)

// predictOptions is the command line of `pfnamp predict`, parsed.
type predictOptions struct {
	contextOptions
	test, out, plot string
	chainFlags      []string // flags about chains
	testSheet       string   // sheet of test where it is not that of TRAIN
	tests           []string // several query tables instead of test
	keepGoing       bool     // leaves out those of them that are refused
	report          string   // HTML page, "" for none
	plotSize        [2]int   // pixels, 0 for what suits the figure

	question pfnamp.Question // complete when the training table has been read
	numbers  []string        // flags given that a classifier has no use for

	format      tabular.Format
	prefix      string
	sql         bool   // names of computed columns need no quotes in SQL
	shard       shard  // rows of TEST, all without
	summaryJSON string // file, "" for none
	digits      int    // significant ones of computed numbers, 0 for all
	escape      bool   // texts in CSV outputs that look like formulas

	joint       jointOptions
	samplesFile string // of drawn labels, "" for columns of the table

	missingColumns bool // TEST may lack features
}

var predictHelp = `TRAIN is the labelled table that the model reads as context; TEST holds the rows
to predict, one output row each, in order. Both may be CSV, JSON lines, an Excel
workbook, Parquet or Arrow (file or stream), told by extension or content; "-" is
standard input.
Columns are matched by name. A STATE of pfnamp fit may take the place of TRAIN.
Of one TABLE alone, the rows that have the target are read and the others predicted.

OUTPUT COLUMNS, for --functional mean,q0.9 and the default level 0.9:
   mean, mean_lo, mean_hi    conditional mean and its 90 % credible interval:
                             what is unknown about the function
   q0.9, q0.9_lo, q0.9_hi    the same for the conditional 0.9-quantile
   pi_lo, pi_hi              90 % predictive interval of a single label:
                             noise included, hence wider

FUNCTIONALS, separated by commas:
` + functionalHelp() + `
POSTERIORS that credible intervals can come from:
` + posteriorHelp() + `Several may be listed: of the first one are NAME_lo and NAME_hi, of the others
NAME_paper_lo, NAME_paper_hi and so on.

THE LABEL ITSELF: -f q0.9 is the 0.9-quantile that the model believes in, and its interval
is about that belief. --ppd lists numbers of the predictive distribution of one label, in
which noise and doubt are together, so that its q0.9 lies further out. --ppd 'q0.1,q0.9,p>150'
adds columns ppd_q0.1 and so on, without intervals. It takes every functional, and
` + statisticHelp() + `--samples 100 draws labels: sample_1 to sample_100, or a line each in --samples-file FILE.

PREDICTIVE INTERVALS: pi_lo and pi_hi come from the predictive distribution of the
label. --predictive conformal adjusts them by how well the model predicts rows of
TRAIN that it has not read (10 folds): if rows of TRAIN and TEST are alike, they
hold a label about as often as --level says, however wrong the model. Of labels it adds
   set, set_size             labels that are likely enough, joined by |, and their number
--conformal-by class, or a COLUMN of TRAIN and TEST, keeps that for every label or value.
--group COLUMN reads whole groups, such as the rows of a patient, for TESTs of new groups;
--time COLUMN lets earlier rows predict later ones, for TESTs of the future.

SEVERAL ROWS TOGETHER: the posterior of a single row does not say how rows move
together. --joint, --summary and --bands couple rows by their distance in the
features and leave every single row's interval as it is.
   --joint FILE     row, draw and a column per functional: equal draws belong together
   --summary FILE   averages over all rows and groups, and differences of them
   --bands          band around all rows of TEST at once

MANY TABLES: several TESTs, a folder or a pattern in quotes are predicted into the
folder of -o, each under its own name, and _SUCCESS is written when all are there.
A table that is done is not done again: the same command goes on after an
interruption, and --shard I/N takes every N-th table. Folders named key=value become
columns. --keep-going leaves out tables that are refused, names them, and ends with
exit status 5; pfnamp parts verify FOLDER finds outputs that were changed since.

CLASSES: the target decides what is predicted. Texts, and true and false, are labels,
for which a classifier is used; numbers are predicted as numbers, unless they are
codes of classes: --task classification says so, and takes whole numbers as labels.
--model names a bundle, and then its task is the task (pfnamp models show tells).
The output columns are, for labels no and yes,
   class                     the most probable class
   p=no, p=no_lo, p=no_hi    its probability and the 90 % credible interval of that
   p=yes, p=yes_lo, ...      likewise
in this order: numbers by size, false before true, texts by their bytes (A before a).
--summary has averages of these probabilities over rows and groups, and differences.
The defaults are then --rho 1, and --posterior limit where the bundle has no own one.

EXAMPLES
   pfnamp predict train.csv test.csv --target price > out.csv
   pfnamp predict train.csv test.parquet --target price --keep id -o out.parquet
   pfnamp predict train.csv test.csv --target y --functional 'q0.5,p>10' --plot out.png
   pfnamp predict train.csv test.csv --target y --keep id -o report.html
   pfnamp predict train.csv test.csv --target y --functional median --posterior direct
   pfnamp predict train.csv test.csv -y price -o out.csv --summary towns.csv --group-by town \
      --contrast 'Bath - York' --contrast 'row 1 - row 2'
   duckdb -c "copy (...) to '/dev/stdout' (format csv)" | pfnamp predict train.csv - --target y`

func predictCommand(std stdio) *cli.Command {
	return &cli.Command{
		Name:        "predict",
		Usage:       "predict every row of TEST, with credible and predictive intervals",
		ArgsUsage:   "TRAIN TEST | STATE TEST | TABLE | TRAIN TEST... -o FOLDER",
		Description: predictHelp + "\n\n" + exitHelp,
		Flags:       predictFlags(),
		Action: func(c *cli.Context) error {
			opt, err := parsePredict(c)
			if err != nil {
				return err
			}
			if opt.tests != nil {
				return runParts(c.Context, opt, std)
			}
			return runPredict(c.Context, opt, std)
		},
	}
}

// parsePredict turns flags into options and reports the first wrong one.
func parsePredict(c *cli.Context) (predictOptions, error) {
	shared, err := parseContext(c)
	opt := predictOptions{
		contextOptions: shared,
		out:            standardOutput(c.String("output")), plot: c.String("plot"), prefix: c.String("prefix"),
		report: c.String("report"), summaryJSON: c.String("summary-json"),
		escape: c.Bool("escape-formulas"), digits: c.Int("digits"),
		missingColumns: c.Bool(allowMissingColumns),
	}
	if err != nil {
		return opt, err
	}
	for _, step := range []func(*cli.Context) error{
		opt.parseArguments, opt.parseQuestion, opt.parseLabel, opt.parsePosterior, opt.parseFormats, opt.check,
		opt.parseJoint, opt.parseNumbers, opt.parseShard,
		opt.parseParts,
	} {
		if err := step(c); err != nil {
			return opt, err
		}
	}
	opt.skipUnused(opt.joint.groupBy, opt.question.ConformalBy, opt.fit.Time)
	return opt, nil
}

func (o *predictOptions) parseArguments(c *cli.Context) error {
	train, test, err := tablesOf(c)
	if err != nil {
		return err
	}
	o.test, o.one, o.testSheet = test, oneTable(c), c.String("test-sheet")
	if tests := c.Args().Tail(); manyTables(tests) {
		o.tests, o.test = tests, ""
	}
	if pfnamp.IsState(o.test) {
		return &usageError{msg: o.test + " is a saved state, not a table",
			hint: "the state goes first: pfnamp predict STATE TEST"}
	}
	if o.saved = pfnamp.IsState(train); o.saved {
		if err := settled(c, train); err != nil {
			return err
		}
	}
	if err := o.parseTrain(train); err != nil {
		return err
	}
	if err := tabular.CheckPath(o.test); o.tests == nil && err != nil {
		return err
	}
	for _, name := range []string{"output", "plot", "summary-json"} {
		if c.IsSet(name) && c.String(name) == "" {
			return &usageError{msg: "--" + name + " is empty", hint: "name a file, or leave it out"}
		}
	}
	return nil
}

// parseQuestion reads what is asked of every row.
func (o *predictOptions) parseQuestion(c *cli.Context) error {
	q := &o.question
	*q = pfnamp.Question{
		Level: c.Float64("level"), Errors: c.Bool("mcse"), Beta: c.Float64("beta"),
		Chains: c.Int("chains"), Steps: c.Int("steps"), Rho: c.Float64("rho"),
		Seed: c.Uint64("seed"), Workers: c.Int("workers"),
	}
	var err error
	asked := strings.Join(c.StringSlice("functional"), ",")
	if q.Functionals, err = amp.ParseFunctionals(asked); err != nil {
		return &usageError{msg: "--functional: " + err.Error()}
	}
	if q.Interval, err = amp.ParseIntervalKind(c.String("interval")); err != nil {
		return &usageError{msg: "--interval: " + err.Error()}
	}
	if q.Missing, err = parseMissing(c); err != nil {
		return err
	}
	q.Predictive = cmp.Or(pfnamp.Predictive(c.String("predictive")), pfnamp.PPDInterval)
	if !slices.Contains(pfnamp.Predictives(), q.Predictive) {
		return &usageError{msg: fmt.Sprintf("--predictive %q is not one of ppd, conformal", q.Predictive)}
	}
	q.ConformalBy = oneColumn(c, "conformal-by")
	o.fit.ConformalBy = q.ConformalBy
	if q.ConformalBy != "" && q.Predictive != pfnamp.ConformalInterval {
		return &usageError{msg: "--conformal-by is about conformal predictions",
			hint: "add --predictive conformal, or drop it"}
	}
	if err := o.parseDivision(c); err != nil {
		return err
	}
	if q.Predictive != pfnamp.ConformalInterval {
		return refuse(c, "is about conformal predictions", "add --predictive conformal, or drop it",
			"group", "time")
	}
	if o.saved {
		return conformalFailure(pfnamp.ErrNoTable, o.train)
	}
	o.contexts = 1 + pfnamp.DefaultFolds
	return nil
}

func (o *predictOptions) parseFormats(c *cli.Context) error {
	var err error
	if o.plotSize, err = parsePlotSize(c.String("plot-size")); err != nil {
		return err
	}
	if o.sql, err = parseNames(c.String("names")); err != nil {
		return err
	}
	writtenFormats := "the formats are " + either(formatNames(tabular.Format.Written), "and")
	if o.format, err = tabular.ParseFormat(c.String("to")); err != nil {
		return &usageError{msg: "--to: " + err.Error(), hint: writtenFormats}
	}
	if o.format != tabular.Auto && !o.format.Written() {
		return &usageError{msg: "--to: tables are not written in format " + o.format.String(),
			hint: writtenFormats}
	}
	o.read.BatchRows = c.Int("batch")
	return nil
}

// check refuses values out of range.
func (o *predictOptions) check(c *cli.Context) error {
	q := &o.question
	if err := checkLevel(q.Level); err != nil {
		return err
	}
	if !(q.Rho >= 0 && q.Rho <= 1) {
		return &usageError{msg: fmt.Sprintf("--rho %g is not in [0, 1]", q.Rho),
			hint: fmt.Sprintf("leave it out: the default is %g for numbers and 1 for classes", amp.DefaultRho)}
	}
	if q.Rho == 0 {
		q.Rho = amp.Independence
	}
	if c.IsSet("beta") && !(q.Beta > 0.5 && q.Beta < math.Inf(1)) {
		return &usageError{msg: fmt.Sprintf("--beta %g is not a number above 1/2", q.Beta),
			hint: "leave it out for the publication's, which depends on the number of features"}
	}
	if err := checkRanges(c, "steps", "chains", "batch", "workers"); err != nil {
		return err
	}
	if err := checkDraws(c); err != nil {
		return err
	}
	if o.summaryJSON == "-" {
		return &usageError{msg: "--summary-json writes a file", hint: "--json prints the same"}
	}
	if c.IsSet("digits") && (o.digits < 1 || o.digits > maxDigits) {
		return &usageError{msg: fmt.Sprintf("--digits %d is not between 1 and %d", o.digits, maxDigits)}
	}
	return nil
}

// oneColumn is the value of a flag that takes one column. A name may be quoted as in a list, in which
// form hints write it.
func oneColumn(c *cli.Context, flag string) string {
	name := c.String(flag)
	if !strings.HasPrefix(name, `"`) {
		return name
	}
	if parts, err := csv.NewReader(strings.NewReader(name)).Read(); err == nil && len(parts) == 1 {
		return parts[0]
	}
	return name
}

// list splits the values of a flag at commas; a part that holds a comma is quoted as in CSV.
func list(c *cli.Context, name string) ([]string, error) {
	var parts []string
	for _, value := range c.StringSlice(name) {
		reader := csv.NewReader(strings.NewReader(value))
		reader.TrimLeadingSpace = true
		fields, err := reader.Read()
		if err != nil && err != io.EOF {
			return nil, &usageError{msg: "--" + name + " " + quote(value) + " is not a list",
				hint: `separate names by commas, and quote one that holds a comma: 'a,"b,c"'`}
		}
		for _, part := range fields {
			if slices.Contains(parts, part) {
				return nil, &usageError{msg: "--" + name + " lists " + quote(part) + " twice"}
			}
			parts = append(parts, part)
		}
	}
	return parts, nil
}

func parseDelimiter(s string) (rune, error) {
	switch s {
	case "":
		return 0, nil
	case "tab", `\t`:
		return '\t', nil
	}
	if runes := []rune(s); len(runes) == 1 && !strings.ContainsAny(s, "\"\r\n") {
		return runes[0], nil
	}
	return 0, &usageError{
		msg:  "--delimiter " + quote(s) + " is not one character",
		hint: `for example --delimiter ';' or --delimiter tab`,
	}
}

func quote(s string) string { return fmt.Sprintf("%q", s) }

// runPredict does the whole job: read, fit, draw, predict, write.
func runPredict(ctx context.Context, opt predictOptions, std stdio) error {
	job := &predictJob{opt: opt, start: time.Now(),
		contextJob: contextJob{from: opt.contextOptions, std: std}}
	defer job.close()
	job.clock.last = job.start
	lap := job.clock.lap
	return job.steps(ctx, job.checkOutputs, job.loadBundle, job.checkTask,
		job.doing("reading "+filepath.Base(opt.train), job.openTables), lap("read"),
		job.doing("loading the model", job.openModel), job.openSinks, lap("model"),
		job.doing("the model reads "+filepath.Base(opt.train), job.fit), lap("context"),
		job.doing("preparing the answers", job.prepare), lap("prepare"),
		job.predict, job.finishSinks, lap("predict"), job.finish, lap("write"), job.tellResult)
}
