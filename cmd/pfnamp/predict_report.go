package main

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/tabular"
)

// reporting is a report in the making and the file that it goes to.
type reporting struct {
	path    string
	answers report.Answers
	page    func(*report.Answers) report.Page // once all rows are known
	file    *atomicfile.File
	labels  *testLabels
	words   wording
}

// isPage tells whether a name is that of a report.
func isPage(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".html" || ext == ".htm"
}

// openReport checks the destination before anything is computed.
func (j opening) openReport(ctx context.Context, path string) (sink, error) {
	q := j.opt.question
	r := &reporting{path: path, labels: j.labels, words: j.words(), page: j.reportPage,
		answers: report.Answers{
			Asked: asked(q, j.layout, j.opt.fit.Target), Kept: j.opt.fit.Keep, Seed: q.Seed}}
	var err error
	if r.file, err = createFile(ctx, path); err != nil {
		return nil, fault.Unwritable(path, err)
	}
	return r, nil
}

// asked is a question as a report or a figure names it.
func asked(q pfnamp.Question, layout pfnamp.Layout, target string) report.Asked {
	a := report.Asked{Target: target, Level: q.Level, Functionals: layout.Names,
		Posterior: string(q.Posteriors[0]), Classes: layout.Classes()}
	for _, f := range q.Functionals {
		a.Events = append(a.Events, f.Unit() == amp.ProbabilityUnit)
	}
	for _, other := range q.Posteriors[1:] {
		a.Others = append(a.Others, string(other))
	}
	return a
}

// answeredRow is a row of an answer in the words of its task.
func answeredRow(words wording, a *pfnamp.Answer, row int) report.Row {
	r := report.Row{LabelLo: math.NaN(), LabelHi: math.NaN(), Label: math.NaN(), PIT: math.NaN(),
		CRPS: math.NaN()}
	for f, estimates := range a.Posteriors[0].Estimates {
		e := report.Estimate{Point: estimates[row].Point, Lo: estimates[row].Lo, Hi: estimates[row].Hi}
		for _, other := range a.Posteriors[1:] {
			o := other.Estimates[f][row]
			e.Others = append(e.Others, [2]float64{o.Lo, o.Hi})
		}
		r.Estimates = append(r.Estimates, e)
	}
	words.fill(&r, a, row)
	return r
}

// keptCells are functions from a row to its cells of columns that are passed through.
func keptCells(batch *tabular.Batch, names []string) []func(int) string {
	kept := make([]func(int) string, len(names))
	for i, name := range names {
		column, _ := batch.Column(name)
		kept[i] = column.ValueStr
		if column.NullN() > 0 {
			kept[i] = func(row int) string {
				if column.IsNull(row) {
					return ""
				}
				return column.ValueStr(row)
			}
		}
	}
	return kept
}

// Add implements sink.
func (r *reporting) Add(_ context.Context, batch *tabular.Batch, a *pfnamp.Answer) error {
	labels, read := r.labels.of(batch, a)
	kept := keptCells(batch, r.answers.Kept)
	for i := range a.Rows() {
		row := answeredRow(r.words, a, i)
		row.At, row.Label, row.Read = batch.First+int64(i)+1, labels[i], read[i]
		for _, cell := range kept {
			row.Kept = append(row.Kept, cell(i))
		}
		if ppd, ok := a.Predictions[i].PPD.(evaluate.PPD); ok {
			row.Mean = ppd.Mean()
			for _, p := range report.QuantileLevels() {
				row.Quantiles = append(row.Quantiles, ppd.Quantile(p))
			}
			if !math.IsNaN(row.Label) {
				row.PIT, row.CRPS = evaluate.PIT(ppd, row.Label), ppd.CRPS(row.Label)
			}
		}
		r.answers.Add(row)
	}
	return nil
}

// Finish implements sink.
func (r *reporting) Finish(context.Context) ([]finisher, error) { return []finisher{r.finish}, nil }

// Discard implements sink.
func (r *reporting) Discard() { r.file.Abort() }

// finish writes the report, which then lacks nothing but its name.
func (r *reporting) finish() (*atomicfile.File, error) {
	if err := r.page(&r.answers).Write(r.file); err != nil {
		return nil, fault.Unwritable(r.path, err)
	}
	if err := r.file.Finish(); err != nil {
		return nil, fault.Unwritable(r.path, err)
	}
	return r.file, nil
}

// reportPage names the question, the model and the notes of the run.
func (j opening) reportPage(a *report.Answers) report.Page {
	a.Read = j.counts.read
	p := report.Predictions{Answers: a, Notes: j.said, Averages: j.counts.averages,
		Title: fmt.Sprintf("Predictions of %s: %s",
			j.opt.fit.Target, filepath.Base(j.opt.test))}
	fact := func(name, format string, args ...any) {
		p.Facts = append(p.Facts, [2]string{name, fmt.Sprintf(format, args...)})
	}
	runtime := j.model.Runtime()
	fact("training table", "%s, %s, %s", filepath.Base(j.schema.File),
		count(int(j.schema.Rows), "row"), kinds(j.schema.Columns))
	fact("query table", "%s, %s", filepath.Base(j.opt.test), count(int(j.counts.rows), "row"))
	for _, read := range [][2]string{{"training", j.from.train}, {"query", j.opt.test}} {
		if file, err := j.readFacts(read[1]); err == nil && file.SHA256 != "" {
			fact(read[0]+" table sha256", "%s", file.SHA256)
		}
	}
	for _, pair := range j.metadata() {
		name := strings.TrimPrefix(pair[0], "pfnamp.")
		if pair[1] != "" && name != "arguments" {
			fact(strings.ReplaceAll(name, ".", " "), "%s", pair[1])
		}
	}
	for _, list := range []struct {
		name    string
		columns []string
	}{{"ignored", j.opt.fit.Ignore}, {"kept", j.opt.fit.Keep},
		{"categorical", j.opt.fit.Categorical}, {"numeric", j.opt.fit.Numeric}} {
		if len(list.columns) > 0 {
			fact(list.name, "%s", strings.Join(list.columns, ", "))
		}
	}
	fact("onnxruntime", "%s on %s", runtime.Version, runtime.Device)
	return p.Page()
}
