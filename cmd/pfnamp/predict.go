package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
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

	joint      jointOptions
	checked    bool // --check
	weighted   bool // --weights shift
	conditions []condition
	files      map[string]string // of further outputs, by flag: see fileSinks
	sets       []string          // changes of --set

	missingColumns bool // TEST may lack features
}

func predictCommand(std stdio.Streams) *cli.Command {
	return &cli.Command{
		Name:        "predict",
		Usage:       "predict every row of TEST, with credible and predictive intervals",
		ArgsUsage:   "TRAIN TEST | STATE TEST | TABLE | TRAIN TEST... -o FOLDER",
		Description: predictHelp + "\n\n" + fault.ExitHelp,
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
		out:            standardOutput(c.String("output")), plot: c.String("plot"),
		prefix: c.String("prefix"),
		report: c.String("report"), summaryJSON: c.String("summary-json"),
		escape: c.Bool("escape-formulas"), digits: c.Int("digits"),
		missingColumns: c.Bool(allowMissingColumns), sets: c.StringSlice("set"),
	}
	if err != nil {
		return opt, err
	}
	for _, step := range []func(*cli.Context) error{
		opt.parseArguments, opt.parseQuestion, opt.parseFiles, opt.parseLabel,
		opt.parsePosterior, opt.parseFormats, opt.check,
		opt.parseJoint, opt.parseNumbers, opt.parseShard,
		opt.parseParts, opt.parseCheckOfTest,
		opt.parseWeights,
	} {
		if err := step(c); err != nil {
			return opt, err
		}
	}
	if opt.question.Predictive != pfnamp.ConformalInterval {
		err = needs(c, "--predictive conformal", "time")
		if err == nil && !opt.joint.asked() {
			err = needs(c, "--predictive conformal, --summary, --joint or --bands", "group")
		}
		if err == nil {
			err = opt.refuseDivision(c)
		}
	}
	opt.skipUnused(opt.joint.groupBy, opt.question.ConformalBy, opt.fit.Time)
	return opt, err
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
		return isState(o.test, "the state goes first: pfnamp predict STATE TEST")
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
			return noFile("--" + name)
		}
	}
	return nil
}

// parseQuestion reads the flags that say what to predict for every row.
func (o *predictOptions) parseQuestion(c *cli.Context) error {
	q := &o.question
	*q = pfnamp.Question{
		Level: c.Float64("level"), Errors: c.Bool("mcse"), Beta: c.Float64("beta"),
		Chains: c.Int("chains"), Steps: c.Int("steps"), Rho: c.Float64("rho"),
		Seed: c.Uint64("seed"), Workers: c.Int("workers"), AllowNew: c.Bool(allowNew),
	}
	var err error
	asked := strings.Join(c.StringSlice("functional"), ",")
	if q.Functionals, err = amp.ParseFunctionals(asked); err != nil {
		return fault.Option("functional", err.Error(), "")
	}
	if q.Interval, err = amp.ParseIntervalKind(c.String("interval")); err != nil {
		return notOneOf("--interval", c.String("interval"), amp.EqualTailed.String(),
			amp.HighestDensity.String())
	}
	if q.Missing, err = parseMissing(c); err != nil {
		return err
	}
	q.Predictive = cmp.Or(pfnamp.Predictive(c.String("predictive")), pfnamp.PPDInterval)
	if !slices.Contains(pfnamp.Predictives(), q.Predictive) {
		return notOneOf("--predictive", string(q.Predictive), "ppd", "conformal")
	}
	q.ConformalBy = oneColumn(c, "conformal-by")
	o.fit.ConformalBy = q.ConformalBy
	if q.ConformalBy != "" && q.Predictive != pfnamp.ConformalInterval {
		return needs(c, "--predictive conformal", "conformal-by")
	}
	if err := o.parseDivision(c); err != nil || q.Predictive != pfnamp.ConformalInterval {
		return err
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
	if o.format, err = parseWritten(c); err != nil {
		return err
	}
	o.read.BatchRows = c.Int("batch")
	return nil
}

// check refuses what one flag alone does not show.
func (o *predictOptions) check(*cli.Context) error {
	if o.question.Rho == 0 {
		o.question.Rho = amp.Independence
	}
	if o.summaryJSON == "-" {
		return fault.Option("summary-json", "-: it writes only files", "use --json for standard output")
	}
	return nil
}

// oneColumn is the value of a flag that takes one column. A name may be quoted as in a list, in
// which form hints write it.
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
			return nil, fault.Option(name, ""+quote(value)+" is not a list",
				`separate names by commas, and quote a name with a comma: 'a,"b,c"'`)
		}
		for _, part := range fields {
			if slices.Contains(parts, part) {
				return nil, fault.Option(name, "lists "+quote(part)+" twice", "")
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
	return 0, fault.Option("delimiter", quote(s)+" is not one character",
		`for example --delimiter ';' or --delimiter tab`)
}

func quote(s string) string { return fmt.Sprintf("%q", s) }

// runPredict does the whole job: read, fit, draw, predict, write.
func runPredict(ctx context.Context, opt predictOptions, std stdio.Streams) error {
	job := &predictJob{askJob: newAskJob(opt, std)}
	defer job.close()
	lap := job.clock.lap
	return job.steps(ctx, job.checkOutputs, job.loadBundle, job.checkTask,
		job.doing("reading "+filepath.Base(opt.train), job.openTables), job.weigh, lap("read"),
		job.doing("loading the model", job.openModel), job.openSinks, lap("model"),
		job.doing("the model reads "+filepath.Base(opt.train), job.fit), lap("context"),
		job.doing("preparing the answers", job.prepare), lap("prepare"),
		job.predict, job.finish, lap("write"), job.tellResult,
		job.judgeTest)
}
