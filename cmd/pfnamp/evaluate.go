package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
	lab "github.com/pfnamp/pfnamp/evaluate/paper"
)

// evaluateOptions is the command line of `pfnamp evaluate`, parsed.
type evaluateOptions struct {
	context contextOptions // train is DATA
	study   *lab.Study
	folder  string // tables of the benchmark
	ideal   bool
	list    bool
	json    bool // results as JSON
	gate    gate
	out     string // folder, "" for none
	junit   string // file, "" for none
	rows    int    // at most so many rows of DATA; 0 for all
	asked   bool   // functionals were given
	folds   bool   // the number of folds was given

	shards  evaluateShards
	setting lab.Setting // without model and tables
}

const evaluateHelp = `Evaluates the model on a table of your own, or runs a study of the publication.

With DATA every row is predicted by a model that has not read it: 5-fold
cross-validation (--folds). The predictions are scored against the labels, in the
unit of the target, beside simple baselines. Divide the rows as the future will:
--group patient keeps all rows of a patient together, so that the score is that of
new patients, and --time date lets the past predict the future.

With --splits the rows are split at random, so many times: the model reads
--train-share of them and predicts the rest. This scores credible intervals too,
against a surrogate for the truth, as in the publication: what the model predicts
for the same rows when it reads these instead. It compares all posteriors of
pfnamp predict (paper, limit, and, of bundles with a surface, direct and local:
chains whose learning rate comes from the surface, row by row) and a bootstrap.
Widths, scores and errors are then in units of the target's standard deviation.

With --study one of the named experiments is run; --list-studies lists them.
--ideal takes the exact Bayesian solution of the simulated model instead of a
network. The study "benchmark" needs a folder of CSV files, whose last columns
are the targets. The study "calibration" shows coverage, ranks of the truth and
width of every functional, on ten families of functions that the embedded model
has not been trained on; "classes" does so of a classifier.

Of labels (texts, true and false, or --task classification) the probabilities of the
classes are scored: log loss, Brier score, AUC of one class against the rest,
accuracy and calibration error, beside logistic regression and the shares of the
classes; with --splits also the credible interval of every class's probability.
Every class is split by itself.

With -o FOLDER results go to FOLDER/results.json, .csv and .parquet, pictures
and report.html beside them. Finished parts are kept in FOLDER/cells: after an
interruption the same command continues.

For a CI, --baseline compares with the results.json of an earlier evaluation of
the same table with the same flags, and --fail-if makes what is worse an error
(exit status 6): 'crps>+2%' a CRPS more than 2 % above the earlier one,
'coverage<0.85' an absolute bound, 'paper:mean:width>+0.1' another method,
functional and metric of results.csv. Of classes: 'log_loss>+2%', 'auc<0.8',
'limit:p=yes:coverage<0.8'.

Several processes share the work: --shard 1/4 to --shard 4/4, with one folder or a
folder each. The same command without --shard then writes the results, or --merge
with the folders of the shards, which computes nothing. Results are those of one
process, to the last byte but for measured times.

EXAMPLES
   pfnamp evaluate data.csv --target y -o evaluation
   pfnamp evaluate data.csv --target y --group patient
   pfnamp evaluate data.csv --target y -f mean,q0.9 --splits 5 --bootstrap 0
   pfnamp evaluate data.csv --target y --baseline old/results.json --fail-if 'crps>+2%'
   pfnamp evaluate --study simulation --ideal -o simulation`

func evaluateCommand(std stdio) *cli.Command {
	return &cli.Command{
		Name:        "evaluate",
		Usage:       "score predictions and credible intervals on your data or in a study",
		ArgsUsage:   "DATA | --study NAME [FOLDER]",
		Description: evaluateHelp + "\n\n" + exitHelp,
		Flags:       evaluateFlags(),
		Action:      parsed(parseEvaluate, runEvaluate, std),
	}
}

// Defaults of the paper's experiments.
const (
	defaultSplits = 10
	defaultShare  = 0.2
	defaultRefits = 50
	defaultPoints = 100
)

func evaluateFlags() []cli.Flag {
	const study, split = "Studies", "Splits"
	flags := []cli.Flag{
		&cli.StringFlag{Name: "target", Aliases: []string{"y"}, Category: split,
			Usage: "`COLUMN` of DATA to predict"},
		taskFlag(split),
		&cli.StringSliceFlag{Name: "functional", Aliases: []string{"f"}, Category: split,
			Value: cli.NewStringSlice("q0.5", "q0.9"), Usage: "`LIST` of functionals: mean, q0.9, ..."},
		&cli.IntFlag{Name: "folds", Category: split, Value: defaultFolds,
			Usage: "`NUMBER` of folds of a cross-validation"},
		&cli.IntFlag{Name: "splits", Category: split, Value: defaultSplits,
			DefaultText: "none; of a study 10",
			Usage:       "`NUMBER` of random splits in place of a cross-validation"},
		&cli.Float64Flag{Name: "train-share", Category: split, Value: defaultShare,
			Usage: "`SHARE` of the rows that the model reads"},
		&cli.IntFlag{Name: "bootstrap", Category: split, Value: defaultRefits,
			Usage: "`NUMBER` of refits of the bootstrap; 0 leaves it out"},
		&cli.IntFlag{Name: "rows", Category: split, DefaultText: "all",
			Usage: "at most `NUMBER` rows of DATA, drawn at random"},
		&cli.StringFlag{Name: "study", Category: study, Usage: "`NAME` of an experiment"},
		&cli.BoolFlag{Name: "list-studies", Category: study, DisableDefaultText: true,
			Usage: "list the experiments"},
		&cli.BoolFlag{Name: "ideal", Category: study, DisableDefaultText: true,
			Usage: "the exact solution of the simulated model instead of a network"},
		&cli.IntFlag{Name: "sets", Category: study, Value: 1, DefaultText: "as the study",
			Usage: "`NUMBER` of simulated data sets of every kind"},
		&cli.IntFlag{Name: "points", Category: study, Value: defaultPoints,
			Usage: "`NUMBER` of query rows of a simulated data set"},
		&cli.Float64Flag{Name: "level", Value: amp.DefaultLevel,
			Usage: "`PROBABILITY` of all intervals"},
		&cli.IntFlag{Name: "chains", Value: amp.DefaultChains, Usage: "`NUMBER` of chains"},
		&cli.IntFlag{Name: "steps", Value: amp.DefaultSteps,
			Usage: "`NUMBER` of forward samples of a chain"},
		&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`SEED` of splits, simulations and chains"},
		&cli.StringFlag{Name: "output", Aliases: []string{"o"},
			Usage: "`FOLDER` for results, pictures and the report"},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, DisableDefaultText: true,
			Usage: "no notes on standard error"},
		&cli.BoolFlag{Name: "json", DisableDefaultText: true,
			Usage: "results as JSON on standard output; an error as one JSON object"},
	}
	flags = append(append(flags, divideFlags(split)...), gateFlags()...)
	flags = append(flags, evaluateShardFlags()...)
	flags = append(flags, featureFlags()...)
	return append(flags, modelFlags()...)
}

// parseEvaluate turns flags into options and reports the first wrong one.
func parseEvaluate(c *cli.Context) (evaluateOptions, error) {
	opt := evaluateOptions{ideal: c.Bool("ideal"), list: c.Bool("list-studies"),
		json: c.Bool("json"), asked: c.IsSet("functional"), folds: c.IsSet("folds"),
		out: c.String("output"), rows: c.Int("rows")}
	if opt.list {
		return opt, nil
	}
	var err error
	if opt.context, err = parseContext(c); err != nil {
		return opt, err
	}
	for _, step := range []func(*cli.Context) error{
		opt.context.parseDivision, opt.parseSubject, opt.parseSetting, opt.checkNumbers, opt.parseFolds,
		opt.parseGate,
		opt.parseShards,
	} {
		if err := step(c); err != nil {
			return opt, err
		}
	}
	opt.context.skipUnused(opt.context.fit.Time)
	return opt, nil
}

// parseSubject reads what is evaluated: a table or a study.
func (o *evaluateOptions) parseSubject(c *cli.Context) error {
	if c.IsSet("output") && o.out == "" {
		return &usageError{msg: "--output is empty", hint: "name a folder, or leave it out"}
	}
	if !c.IsSet("study") {
		if o.ideal {
			return &usageError{msg: "--ideal is about simulations", hint: "name one with --study"}
		}
		if c.NArg() != 1 {
			return &usageError{
				msg:  fmt.Sprintf("evaluate needs one argument, DATA, or --study; %d given", c.NArg()),
				hint: "see `pfnamp evaluate --help`",
			}
		}
		if err := refuse(c, aboutSimulations, "", "sets", "points"); err != nil {
			return err
		}
		return o.context.parseTrain(c.Args().First())
	}
	study, ok := lab.FindStudy(c.String("study"))
	if !ok {
		return &usageError{
			msg:  "no study is named " + quote(c.String("study")),
			hint: "the studies are " + strings.Join(studyNames(), ", "),
		}
	}
	o.study = &study
	return o.parseStudy(c)
}

const aboutSimulations = "is about simulated data sets, and tables are given"

// parseStudy checks what a study is given.
func (o *evaluateOptions) parseStudy(c *cli.Context) error {
	needsFolder := o.study.Name == benchmarkStudy
	switch {
	case needsFolder && c.NArg() != 1:
		return &usageError{msg: "the study benchmark needs one argument, a folder of CSV files"}
	case !needsFolder && c.NArg() != 0:
		return &usageError{msg: "the study " + o.study.Name + " reads no table",
			hint: "drop " + quote(c.Args().First())}
	case o.study.Network && o.ideal:
		return &usageError{msg: "the study " + o.study.Name + " needs a network",
			hint: "drop --ideal"}
	}
	aboutData := []string{"target", "task", "functional", "rows", "ignore", "categorical", "numeric",
		"dates", "target-values", "strict"}
	if !needsFolder {
		aboutData = append(aboutData, "splits", "train-share", "na", "delimiter", "decimal", "encoding",
			"sheet", "header-row", "from", "require-eos")
	}
	if err := refuse(c, "is about DATA, and a study settles it", "", aboutData...); err != nil {
		return err
	}
	if needsFolder {
		if err := refuse(c, aboutSimulations, "", "sets", "points"); err != nil {
			return err
		}
	}
	if o.ideal {
		if err := refuse(c, "is about a network, and --ideal needs none", "", "members"); err != nil {
			return err
		}
	}
	o.folder = c.Args().First()
	return nil
}

// Studies with reports of their own; the first one reads tables.
const benchmarkStudy, calibrationStudy, classStudy = "benchmark", "calibration", "classes"

func studyNames() []string {
	var names []string
	for _, s := range lab.Studies() {
		names = append(names, s.Name)
	}
	return names
}

// parseSetting reads how it is evaluated.
func (o *evaluateOptions) parseSetting(c *cli.Context) error {
	o.setting = lab.Setting{Sets: c.Int("sets"), Points: c.Int("points")}
	if o.study != nil && !c.IsSet("sets") {
		o.setting.Sets = o.study.Sets
	}
	o.setting.Setting = evaluate.Setting{
		Seed: c.Uint64("seed"), Level: c.Float64("level"),
		Chains: c.Int("chains"), Steps: c.Int("steps"),
		Splits: c.Int("splits"), Share: c.Float64("train-share"), Refits: c.Int("bootstrap"),
		Workers: 1,
	}
	if o.ideal {
		o.setting.Workers = runtime.GOMAXPROCS(0)
	}
	var err error
	asked := strings.Join(c.StringSlice("functional"), ",")
	if o.setting.Functionals, err = amp.ParseFunctionals(asked); err != nil {
		return &usageError{msg: "--functional: " + err.Error()}
	}
	return nil
}

// checkNumbers refuses values out of range.
func (o *evaluateOptions) checkNumbers(c *cli.Context) error {
	if err := checkLevel(c.Float64("level")); err != nil {
		return err
	}
	if share := c.Float64("train-share"); !(share > 0 && share < 1) {
		return &usageError{msg: fmt.Sprintf("--train-share %v is not between 0 and 1", share),
			hint: "0.8 reads 80 % of the rows and predicts the others"}
	}
	if err := checkRanges(c, "splits", "sets", "points", "steps", "chains", "rows"); err != nil {
		return err
	}
	if err := checkDraws(c); err != nil {
		return err
	}
	if b := c.Int("bootstrap"); b < 0 || b == 1 {
		return &usageError{msg: fmt.Sprintf("--bootstrap %d: a bootstrap needs at least 2 refits", b),
			hint: "0 leaves it out"}
	}
	return nil
}

// runEvaluate does the whole job.
func runEvaluate(ctx context.Context, opt evaluateOptions, std stdio) error {
	if opt.list {
		return listStudies(std, opt.json)
	}
	job := &evaluateJob{opt: opt, contextJob: contextJob{from: opt.context, std: std}}
	defer job.close()
	return job.steps(ctx, job.doing("reading the table", job.openSubject),
		job.doing("loading the model", job.openNetwork), job.noteOrder, job.check, job.openStore,
		job.takeShard,
		job.run, job.write, job.judge)
}
