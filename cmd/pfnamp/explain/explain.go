// Package explain has the command `pfnamp explain`: effects, treatments, importance.
package explain

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/tabular"
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

// explainJob is one run of `pfnamp explain`: it reads a table and asks a question as predict does,
// of rows of TRAIN itself. Its methods are its stages, in the order in which run calls them.
type explainJob struct {
	run.AskJob
	to     output.Places
	length float64 // see joint.Couple

	effects   []string // columns, or pairs a:b; nil for every column
	points    int      // values of a column of numbers
	treatment string   // column with two values, "" for none
	groupBy   string   // column in whose groups the treatment is compared too, "" for none

	importance bool
	correlated float64 // see explain.ImportanceOptions

	asks  explanation
	found finding
}

// Command is `pfnamp explain`.
func Command() *cli.Command {
	j := new(explainJob)
	return j.Command(&cli.Command{
		Name:        "explain",
		Usage:       "show what drives the prediction: effects of columns, with credible bands",
		ArgsUsage:   "TRAIN|STATE",
		Description: explainHelp + "\n\n" + fault.ExitHelp,
	}, j.parse, j.run)
}

func (j *explainJob) parse(c *cli.Context) (err error) {
	if err := run.Each(c, j.From.ParseSource, j.ParseAsk, j.From.RefuseDivision); err != nil {
		return err
	}
	j.length, j.points = c.Float64("length"), c.Int("points")
	j.importance, j.correlated = c.Bool("importance"), c.Float64("correlated")
	if j.effects, err = run.List(c, "effect"); err != nil {
		return err
	}
	if j.treatment, j.groupBy = run.OneColumn(c, "treatment"), run.OneColumn(c,
		"group-by"); j.treatment != "" {
		j.From.Running.Contexts, j.From.Running.Refit = 2, true
	}
	if j.groupBy != "" && j.groupBy == j.treatment {
		return fault.Option("group-by", strconv.Quote(j.groupBy)+" is the --treatment itself",
			"name another column, or drop --group-by")
	}
	j.From.SkipUnused()
	if j.to, err = output.Parse(c); err != nil {
		return err
	}
	return j.to.Settle(j.From.Train)
}

// explanation is what one run of `pfnamp explain` computes.
type explanation interface {
	// check refuses columns that there are not, once the training table has been read.
	check() error
	// compute asks the model. It follows prepare.
	compute(ctx context.Context) (finding, error)
}

// finding is what an explanation has found, as outputs show it.
type finding struct {
	output.Result                  // its scale is nil for that of the question
	title         string           // of a page, without the table
	caption       []string         // paragraphs above the figure on a page
	sections      []report.Section // of a page, without the figure and the notes
	changes       []changeResult   // differences that sentences tell, as JSON has them
	sentences     []string         // the most important first
	how           string           // it was computed, "" for posterior and level
}

// changeResult is a difference with its credible interval and the probability that it is above 0.
type changeResult struct {
	Column     string  `json:"column"`
	Functional string  `json:"functional"`
	From       string  `json:"from"`
	To         string  `json:"to"`
	Point      float64 `json:"point"`
	Lo         float64 `json:"lo"`
	Hi         float64 `json:"hi"`
	Above      float64 `json:"above0"`
	Group      string  `json:"group,omitempty"` // of --group-by
}

func (j *explainJob) run(ctx context.Context) error {
	defer j.Close()
	lap, train := j.Clock.Lap, filepath.Base(j.From.Train)
	return j.Steps(ctx, j.to.Try, j.LoadBundle, j.CheckTask,
		j.Doing("reading "+train, j.OpenTraining), j.check, lap("read"),
		j.Doing("loading the model", j.OpenModel), lap("model"),
		j.Doing("the model reads "+train, j.Fit), lap("context"),
		j.Doing("preparing the answers", j.Prepare), lap("prepare"),
		j.explain, lap("explain"), j.finish, lap("write"), j.tellResult)
}

func (j *explainJob) check(context.Context) error {
	j.asks = &effectExplanation{job: j}
	switch {
	case j.treatment != "":
		j.asks = &treatmentExplanation{job: j}
	case j.importance:
		j.asks = &importanceExplanation{job: j}
	}
	return j.asks.check()
}

// explained lists the columns with values, of which there must be one.
func (j *explainJob) explained() (names []string, err error) {
	for _, c := range j.Schema.Columns {
		if c.Kind != tabular.Empty {
			names = append(names, c.Name)
		}
	}
	if names == nil {
		err = &tabular.Error{File: j.Schema.File, Msg: "the table has no column to explain"}
	}
	return names, err
}

func (j *explainJob) explain(ctx context.Context) (err error) {
	progress := j.Telling()
	progress.Doing, progress.Unit, progress.Total = "", "rows", -1
	progress.Begin()
	defer progress.Finish()
	j.found, err = j.asks.compute(ctx)
	return err
}

func (j *explainJob) finish(ctx context.Context) error {
	for _, text := range j.found.sentences {
		j.Notef("%s", text)
	}
	result := j.found.Result
	if result.Page = j.page; result.Scale == nil {
		result.Scale = func(_ int, name string) output.Scale { return j.Scale(name) }
	}
	result.Metadata = func(format tabular.Format) ([][2]string, error) {
		pairs, err := j.FileMetadata(format, "")
		return append(pairs, run.JointMetadata(j.Question, j.length)...), err
	}
	if err := result.Write(ctx, j.to, j.Std); err != nil {
		return err
	}
	how := cmp.Or(j.found.how, fmt.Sprintf("%s posterior, %s intervals", j.Question.Posteriors[0],
		report.Level(j.Question.Level)))
	j.Notef("%s -> %s", how, output.Named(j.to.Written()))
	return nil
}

func (j *explainJob) page() report.Page {
	p := report.Page{Title: fmt.Sprintf("%s: %s", j.found.title, filepath.Base(j.From.Train)),
		Verdict: j.found.sentences}
	p.Sections = append(p.Sections, report.Section{Title: "Figure", Chart: j.found.Chart,
		Text: j.found.caption})
	p.Sections = append(p.Sections, j.found.sections...)
	return p.With(j.Said, run.MetadataFacts(j.Metadata("")))
}

func (j *explainJob) tellResult(ctx context.Context) error {
	return j.TellResult(ctx, j.to, func(r *run.Result) (err error) {
		if r.Findings = j.found.sentences; j.found.changes != nil {
			r.Changes = j.found.changes
		}
		record := j.found.Record
		r.SetColumns(record.Schema().Fields())
		record = array.NewRecordBatch(record.Schema(), output.Rounded(record.Columns(), j.to.Digits),
			record.NumRows())
		r.Table, err = record.MarshalJSON()
		return err
	})
}
