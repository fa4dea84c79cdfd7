package predict

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/tabular"
)

// reportRows are the answers as figures and reports take them, with their first kept columns.
func (a answered) reportRows(kept []string) (rows []report.Row) {
	columns := make([]arrow.Array, len(kept))
	for k, name := range kept {
		columns[k], _ = a.Batch.Column(name)
	}
	for i := range a.rows() {
		r := report.Row{At: a.Index(i) + 1, LabelLo: math.NaN(), LabelHi: math.NaN(),
			Label: a.labels[i], Read: a.read[i], PIT: math.NaN(), CRPS: math.NaN()}
		for f, estimates := range a.Posteriors[0].Estimates {
			e := report.Estimate{Point: estimates[i].Point, Lo: estimates[i].Lo, Hi: estimates[i].Hi}
			for _, other := range a.Posteriors[1:] {
				o := other.Estimates[f][i]
				e.Others = append(e.Others, [2]float64{o.Lo, o.Hi})
			}
			r.Estimates = append(r.Estimates, e)
		}
		if a.Best != nil {
			r.Best = a.Best[i]
		} else {
			r.LabelLo, r.LabelHi = a.Predictive[i].Lo, a.Predictive[i].Hi
		}
		for _, column := range columns {
			text := ""
			if !column.IsNull(i) {
				text = column.ValueStr(i)
			}
			r.Kept = append(r.Kept, text)
		}
		rows = append(rows, r)
	}
	return rows
}

// pictures is the sink of the figure and of the report.
type pictures struct {
	job     *predictJob
	drawn   report.Sample
	answers report.Answers
}

// maxDrawn is the number of rows that a figure draws its own from.
const maxDrawn = 20000

func (j *predictJob) openPictures(context.Context) (sink, error) {
	keep := slices.DeleteFunc(slices.Clone(j.From.Fit.Keep), func(name string) bool {
		return name == j.From.Fit.Target // the page shows observed labels anyway
	})
	if j.to.Page == "" { // a figure names its rows by one column
		keep = keep[:min(1, len(keep))]
	}
	return &pictures{job: j, drawn: report.Sample{Most: maxDrawn, Seed: j.Question.Seed},
		answers: report.Answers{Asked: j.Asked(), Kept: keep, Seed: j.Question.Seed}}, nil
}

func (p *pictures) Add(_ context.Context, a answered) error {
	for i, row := range a.reportRows(p.answers.Kept) {
		if p.job.to.Plot != "" {
			p.drawn.Add(row)
		}
		if ppd, ok := a.Predictions[i].PPD.(evaluate.PPD); ok && p.job.to.Page != "" {
			row.Mean = ppd.Mean()
			for _, p := range report.QuantileLevels() {
				row.Quantiles = append(row.Quantiles, ppd.Quantile(p))
			}
			if !math.IsNaN(row.Label) {
				row.PIT, row.CRPS = evaluate.PIT(ppd, row.Label), ppd.CRPS(row.Label)
			}
		}
		if p.job.to.Page != "" {
			p.answers.Add(row)
		}
	}
	return nil
}

// Finish lets figure and report be drawn, with what later notes say. A figure without rows is left
// out where another output says that there are none, and is an error alone.
func (p *pictures) Finish(ctx context.Context) error {
	j := p.job
	figure := report.Figure{Asked: j.Asked(), Width: j.to.Size[0], Height: j.to.Size[1],
		Kept: strings.Join(p.answers.Kept[:min(1, len(p.answers.Kept))], "")}
	switch {
	case j.to.Plot != "" && p.drawn.All() > 0:
		j.outputs.Document(ctx, j.to.Plot, func(w io.Writer) error {
			figure.Rows, figure.All = p.drawn.Rows(), p.drawn.All()
			return figure.Write(w, output.PictureFormat(j.to.Plot))
		})
	case j.to.Plot != "" && j.to.Plot == j.to.Out:
		return &tabular.Error{File: j.test, Msg: "the table has no row to draw",
			Hint: "write a table instead: -o out.csv"}
	}
	if j.to.Page != "" {
		j.outputs.Document(ctx, j.to.Page, func(w io.Writer) error {
			return j.page(&p.answers).Write(w)
		})
	}
	return nil
}

// page names the question, the model and the notes of the run.
func (j *predictJob) page(a *report.Answers) report.Page {
	a.Read = j.counts.read
	p := report.Predictions{Answers: a, Averages: j.counts.averages,
		Title: fmt.Sprintf("Predictions of %s: %s", j.From.Fit.Target, filepath.Base(j.test))}
	var facts [][2]string
	fact := func(name, format string, args ...any) {
		facts = append(facts, [2]string{name, fmt.Sprintf(format, args...)})
	}
	fact("training table", "%s, %s, %s", filepath.Base(j.Schema.File),
		words.Count(int(j.Schema.Rows), "row"), run.Kinds(j.Schema.Columns))
	fact("query table", "%s, %s", filepath.Base(j.test), words.Count(int(j.counts.rows), "row"))
	for _, read := range [][2]string{{"training", j.From.Train}, {"query", j.test}} {
		if file, err := j.ReadFacts(read[1]); err == nil && file.SHA256 != "" {
			fact(read[0]+" table sha256", "%s", file.SHA256)
		}
	}
	facts = append(facts, run.MetadataFacts(j.Metadata(j.test, j.own()...))...)
	fit := j.From.Fit
	for _, list := range []struct {
		name    string
		columns []string
	}{{"ignored", fit.Ignore}, {"kept", fit.Keep}, {"categorical", fit.Categorical},
		{"numeric", fit.Numeric}} {
		if len(list.columns) > 0 {
			fact(list.name, "%s", strings.Join(list.columns, ", "))
		}
	}
	runtime := j.Model.Runtime()
	fact("onnxruntime", "%s on %s", runtime.Version, runtime.Device)
	return p.Page().With(j.Said, facts)
}
