package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/report"
)

// explanation is what one run of `pfnamp explain` computes and shows.
type explanation interface {
	// check refuses columns that there are not, once the training table has been read.
	check() error
	// schema is that of its table.
	schema() *arrow.Schema
	// compute asks the model. It follows prepare.
	compute(ctx context.Context) error
	// record is its table, which the caller releases; scales tell which columns a screen shows with
	// the same decimals.
	record() arrow.RecordBatch
	scales() []scale
	// chart is its figure, and caption the paragraphs above it on a page.
	chart() report.Drawing
	caption() []string
	// sections are its part of a page, without the figure and the notes.
	sections() []report.Section
	// changes are the differences that sentences tell, as JSON has them.
	changes() []changeResult
	// sentences say what was found, the most important first.
	sentences() []string
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

// explainJob is one run of `pfnamp explain`: it reads a table and asks a question as predict does,
// of rows of TRAIN itself. Its methods are its stages, in the order in which runExplain calls them.
type explainJob struct {
	askJob
	opt explainOptions
	explanation
	outputs explainOutputs
}

// check chooses what is explained and refuses columns that there are not.
func (j *explainJob) check(context.Context) error {
	j.explanation = &effectExplanation{job: j}
	switch {
	case j.opt.treatment != "":
		j.explanation = &treatmentExplanation{job: j}
	case j.opt.importance:
		j.explanation = &importanceExplanation{job: j}
	}
	return j.explanation.check()
}

// explain asks the model.
func (j *explainJob) explain(ctx context.Context) error {
	working := j.telling()
	working.Doing, working.Unit, working.Total = "", "rows", -1
	working.Begin()
	defer working.Finish()
	return j.compute(ctx)
}

// finish makes the outputs appear and says what was found.
func (j *explainJob) finish(context.Context) error {
	files, err := j.outputs.finish(j)
	if err != nil {
		return err
	}
	for _, text := range j.sentences() {
		j.notef("%s", text)
	}
	if err := commitTogether(files...); err != nil {
		return err
	}
	how := fmt.Sprintf("%s posterior, %s intervals", j.askJob.opt.question.Posteriors[0],
		report.Level(j.askJob.opt.question.Level))
	if own, ok := j.explanation.(interface{ how() string }); ok {
		how = own.how()
	}
	j.notef("%s -> %s", how, strings.Join(j.written(), ", "))
	return nil
}

// written names the outputs.
func (j *explainJob) written() (names []string) {
	for _, path := range []string{j.opt.out, j.opt.plot, j.opt.report} {
		switch path {
		case "":
		case "-":
			names = append(names, "standard output")
		default:
			names = append(names, path)
		}
	}
	return names
}

// tellResult prints the result, if --json asks for it.
func (j *explainJob) tellResult(context.Context) error {
	if !j.from.json {
		return nil
	}
	var files []string
	for _, path := range []string{j.opt.out, j.opt.plot, j.opt.report} {
		if path != "" {
			files = append(files, path)
		}
	}
	r, err := j.contextJob.result("explain", files)
	if err != nil {
		return err
	}
	r.Findings, r.Changes = j.sentences(), j.changes()
	record := j.rounded()
	defer record.Release()
	if r.Table, err = record.MarshalJSON(); err != nil {
		return err
	}
	for _, field := range j.schema().Fields() {
		r.Columns = append(r.Columns, columnResult{field.Name, fmt.Sprint(field.Type)})
	}
	w := j.std.Out
	if j.opt.out == "-" {
		w = j.std.Err
	}
	return encodeJSON(w, r)
}

// close frees everything.
func (j *explainJob) close() {
	j.outputs.discard()
	j.askJob.close()
}
