package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/tabular"
)

// explanation is what one run of `pfnamp explain` computes.
type explanation interface {
	// check refuses columns that there are not, once the training table has been read.
	check() error
	// schema is that of its table; scales tell which columns a screen shows with the same decimals.
	schema() *arrow.Schema
	scales() []scale
	// compute asks the model. It follows prepare.
	compute(ctx context.Context) (finding, error)
}

// finding is what an explanation has found, as outputs show it.
type finding struct {
	record    arrow.RecordBatch
	chart     report.Drawing
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

// run does the whole job: read, fit, average, write.
func (j *explainJob) run(ctx context.Context) error {
	defer j.close()
	lap, train := j.clock.lap, filepath.Base(j.from.train)
	return j.steps(ctx, j.to.try, j.loadBundle, j.checkTask,
		j.doing("reading "+train, j.openTraining), j.check, lap("read"),
		j.doing("loading the model", j.openModel), j.openOutputs, lap("model"),
		j.doing("the model reads "+train, j.fit), lap("context"),
		j.doing("preparing the answers", j.prepare), lap("prepare"),
		j.explain, lap("explain"), j.finish, lap("write"), j.tellResult)
}

// check chooses what is explained and refuses columns that there are not.
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

// openOutputs opens the table, so that what is wrong with it costs nothing.
func (j *explainJob) openOutputs(ctx context.Context) (err error) {
	if j.to.table == "" {
		return nil
	}
	j.table, err = j.outputs.table(ctx, j.to, j.std, tableView{schema: j.asks.schema(),
		scales: j.asks.scales(), metadata: func(format tabular.Format) ([][2]string, error) {
			pairs, err := j.fileMetadata(format, "")
			return append(pairs, jointMetadata(j.question, j.length)...), err
		}})
	return err
}

func (j *explainJob) explain(ctx context.Context) (err error) {
	progress := j.telling()
	progress.Doing, progress.Unit, progress.Total = "", "rows", -1
	progress.Begin()
	defer progress.Finish()
	j.found, err = j.asks.compute(ctx)
	return err
}

// finish makes the outputs appear and says what was found.
func (j *explainJob) finish(ctx context.Context) error {
	if j.table != nil {
		if err := j.table.round(j.found.record); err != nil {
			return err
		}
	}
	if j.to.plot != "" {
		j.outputs.document(ctx, j.to.plot, func(w io.Writer) error {
			return j.found.chart.Write(w, pictureFormat(j.to.plot))
		})
	}
	if j.to.page != "" {
		j.outputs.document(ctx, j.to.page, j.page().Write)
	}
	for _, text := range j.found.sentences {
		j.notef("%s", text)
	}
	if err := j.outputs.commit(); err != nil {
		return err
	}
	how := cmp.Or(j.found.how, fmt.Sprintf("%s posterior, %s intervals", j.question.Posteriors[0],
		report.Level(j.question.Level)))
	j.notef("%s -> %s", how, named(j.to.written()))
	return nil
}

// page is the report: sentences, figure, tables, notes, and how it was computed.
func (j *explainJob) page() report.Page {
	p := report.Page{Title: fmt.Sprintf("What drives %s: %s", j.from.fit.Target,
		filepath.Base(j.from.train)), Verdict: j.found.sentences}
	p.Sections = append(p.Sections, report.Section{Title: "Figure", Chart: j.found.chart,
		Text: j.found.caption})
	p.Sections = append(p.Sections, j.found.sections...)
	return j.withFacts(p, metadataFacts(j.metadata("")))
}

func (j *explainJob) tellResult(context.Context) error {
	if !j.from.json {
		return nil
	}
	r, err := j.result("explain", j.to.written())
	if err != nil {
		return err
	}
	if r.Findings = j.found.sentences; j.found.changes != nil {
		r.Changes = j.found.changes
	}
	if r.Table, err = roundedRecord(j.found.record, j.to.digits).MarshalJSON(); err != nil {
		return err
	}
	for _, field := range j.asks.schema().Fields() {
		r.Columns = append(r.Columns, columnResult{field.Name, fmt.Sprint(field.Type)})
	}
	return j.tell(r, j.to)
}

func (j *explainJob) close() {
	j.outputs.discard()
	j.askJob.close()
}
