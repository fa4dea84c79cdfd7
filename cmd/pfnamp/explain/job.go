package explain

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/tabular"
)

// explanation is what one run of `pfnamp explain` computes.
type explanation interface {
	// check refuses columns that there are not, once the training table has been read.
	check() error
	// compute asks the model. It follows prepare.
	compute(ctx context.Context) (finding, error)
}

// finding is what an explanation has found, as outputs show it.
type finding struct {
	record    arrow.RecordBatch
	scale     func(column string) output.Scale // nil for that of the question
	title     string                           // of a page, without the table
	chart     report.Chart
	caption   []string         // paragraphs above the figure on a page
	sections  []report.Section // of a page, without the figure and the notes
	changes   []changeResult   // differences that sentences tell, as JSON has them
	sentences []string         // the most important first
	how       string           // it was computed, "" for posterior and level
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
	result := output.Result{Record: j.found.record, Chart: j.found.chart, Page: j.page}
	result.Scale = func(_ int, name string) output.Scale {
		if j.found.scale != nil {
			return j.found.scale(name)
		}
		return j.Scale(name)
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
	p.Sections = append(p.Sections, report.Section{Title: "Figure", Chart: j.found.chart,
		Text: j.found.caption})
	p.Sections = append(p.Sections, j.found.sections...)
	return p.With(j.Said, run.MetadataFacts(j.Metadata("")))
}

func (j *explainJob) tellResult(ctx context.Context) error {
	return j.TellResult(ctx, j.to, func(r *run.Result) (err error) {
		if r.Findings = j.found.sentences; j.found.changes != nil {
			r.Changes = j.found.changes
		}
		record := j.found.record
		r.SetColumns(record.Schema().Fields())
		record = array.NewRecordBatch(record.Schema(), output.Rounded(record.Columns(), j.to.Digits),
			record.NumRows())
		r.Table, err = record.MarshalJSON()
		return err
	})
}
