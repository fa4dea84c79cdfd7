package pfnamp

import (
	"context"
	"fmt"
	"slices"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/conformal"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/reading"
	"github.com/pfnamp/pfnamp/tabular"
	"github.com/pfnamp/pfnamp/warning"
)

// Predictor answers one question for any number of query rows. What does not depend on the rows,
// the chains above all, is computed once. It is safe for concurrent use.
type Predictor struct {
	fitted    *Fitted
	question  Question // complete
	methods   []method
	conformal *Conformal      // nil unless it is asked for
	donors    *reading.Donors // nil where the network reads missing cells itself

	preparing chan struct{}   // holds a value while summaries are looked at or made
	summaries [][]amp.Summary // by posterior and functional
}

// Conformal returns what makes the predictive intervals, nil where the PPD does.
func (p *Predictor) Conformal() *Conformal { return p.conformal }

// Close frees what the predictor alone holds: the contexts of conformal intervals.
func (p *Predictor) Close() error {
	if p.conformal == nil {
		return nil
	}
	return p.conformal.Close()
}

// Fitted returns what is asked.
func (p *Predictor) Fitted() *Fitted { return p.fitted }

// Question returns the question with its defaults filled in.
func (p *Predictor) Question() Question { return p.question }

// Odd tells what is odd about query rows of which so many cells are outside the range of the
// training table, by feature, and so many are known: sums of Answer.Outside and Answer.Known; see
// [warning.Odd].
func (p *Predictor) Odd(outside map[string]int, known, rows int) []warning.Warning {
	return warning.Odd(p.fitted.schema, outside, known, rows)
}

// Read reports whether a row of the context has the features of a row of an answer and the label y,
// a number or a class: whether the model has read that label. It is false where that cannot be
// told, see [Fitted.TellsRows].
func (p *Predictor) Read(a *Answer, row int, y float64) bool {
	return p.fitted.told().Has(a.x, row, y)
}

// Layout names the columns of answers.
func (p *Predictor) Layout() Layout { return p.question.Layout(p.fitted.schema) }

// Change is what a functional of a row would be if cells were others, and what that changes.
type Change struct {
	Changed    amp.Estimate
	Difference amp.Estimate // changed minus as it is, with its credible interval
	Above      float64      // posterior probability that the difference is above 0
}

// Answer is what was asked of a run of query rows.
type Answer struct {
	Posteriors []Estimated // as Question.Posteriors lists them
	// Bands are the limits of simultaneous bands, by functional and row, nil unless the caller has set
	// them; see At.
	Bands      [][]amp.Estimate
	Changes    [][]Change // by functional and row, nil unless the caller has set them: package explain
	Predictive []Interval // of a label, by row; nil of classes
	Best       []int      // the most probable class, by row; nil of numbers
	// Sets are the classes of the conformal set of every row, in ascending order, Best among them; nil
	// of numbers, and where Question.Predictive is not ConformalInterval.
	Sets [][]int
	// Label has the statistics of the label's own distribution, by Question.Label and row, and Samples
	// the labels that are drawn from it, by row: numbers, or classes as in Best.
	Label, Samples [][]float64

	Predictions []amp.Prediction // by row
	// FellBack is the number of rows where the posterior Auto took chains, as the network's two
	// outputs contradict each other.
	FellBack int
	Warnings []warning.Warning // UnseenCategories, MissingCells
	Notes    []string          // on the columns, see tabular.Features
	// Outside counts, by feature, the cells outside the range of the training table, and Known the
	// rows whose features are those of a row of the context: see Predictor.Odd.
	Outside map[string]int
	Known   int
	// NewGroups counts the rows whose value of Question.ConformalBy no row of the context has. They
	// are compared with all rows of the context, and the promise of their group does not hold.
	NewGroups int

	x      pfn.Matrix
	fallen []bool // rows of FellBack
}

// Estimated are the estimates under one posterior.
type Estimated struct {
	Name      Posterior
	Estimates [][]amp.Estimate // by functional and row
}

// Rows is the number of rows.
func (a *Answer) Rows() int { return len(a.Predictions) }

// Interval is an interval of numbers, Lo <= Hi.
type Interval = conformal.Interval

// Predict answers for the rows of a batch, in order, whose columns are matched by name. Errors are
// a *tabular.Error about a column or cell, or a [*RowsError], which wraps a *pfn.ModelError or
// *pfn.NativeError of the network, pfn.ErrClosed, or the cause of a cancelled ctx.
func (p *Predictor) Predict(ctx context.Context, b *tabular.Batch) (*Answer, error) {
	q, err := p.Encode(b)
	if err != nil {
		return nil, err
	}
	answers, err := p.Answers(ctx, q)
	if err != nil {
		return nil, q.Failed(err)
	}
	return answers[0], nil
}

// answer predicts encoded rows of some groups and summarises their posteriors.
func (p *Predictor) answer(ctx context.Context, x pfn.Matrix, groups []int) (*Answer, error) {
	a := &Answer{x: x}
	if err := p.Ready(ctx); err != nil {
		return nil, err
	}
	task := p.fitted.Task()
	if err := task.predict(ctx, p, a); err != nil {
		return nil, err
	}
	a.fallen = p.fallBack(a.Predictions)
	said := a.Predictions
	a.Predictions = p.fitted.support.Predictions(said)
	if err := task.predictive(ctx, p, a, said, groups); err != nil {
		return nil, err
	}
	for i, method := range p.methods {
		estimates, err := p.estimates(ctx, method, p.summaries[i], a)
		if err != nil {
			return nil, err
		}
		a.Posteriors = append(a.Posteriors, Estimated{method.name, estimates})
	}
	return a, nil
}

// contradiction is the least inconsistency of a surface (amp.Surface.Inconsistency) at which a row
// is answered by chains.
const contradiction = 0.15

// fallBack tells which rows contradict themselves, if Auto is asked for: there it is answered by
// chains.
func (p *Predictor) fallBack(rows []amp.Prediction) []bool {
	fallen := make([]bool, len(rows))
	if !slices.Contains(p.question.Posteriors, Auto) {
		return fallen
	}
	for i, row := range rows {
		s, ok := row.Own.(*amp.Surface)
		fallen[i] = ok && s.Inconsistency() > contradiction
	}
	return fallen
}

// prediction is what a method reads of a row: at rows of FellBack Auto is not shown the network's
// own posterior, which other methods keep.
func (a *Answer) prediction(method method, row int) amp.Prediction {
	p := a.Predictions[row]
	if method.name == Auto && a.fallen[row] {
		p.Own = nil
	}
	return p
}

// estimates summarises the posterior of every functional at every row.
func (p *Predictor) estimates(
	ctx context.Context, method method, summaries []amp.Summary, a *Answer,
) ([][]amp.Estimate, error) {
	rows := make([]amp.Prediction, a.Rows())
	for i := range rows {
		rows[i] = a.prediction(method, i)
	}
	all := make([][]amp.Estimate, len(summaries))
	for i, s := range summaries {
		all[i] = make([]amp.Estimate, len(rows))
		if err := amp.Estimates(ctx, s, all[i], rows, p.question.Workers); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// At returns the estimates of an answer at another level, by functional and row, under the first
// posterior of the question.
func (p *Predictor) At(ctx context.Context, a *Answer, level float64) ([][]amp.Estimate, error) {
	summaries, err := p.prepare(ctx, p.methods[0], min(level, amp.MaxLevel))
	if err != nil {
		return nil, err
	}
	return p.estimates(ctx, p.methods[0], summaries, a)
}

// Features are the encoded cells of a row: NaN is missing, a category is its number.
func (a *Answer) Features(row int) []float64 { return a.x.Row(row) }

// Draws returns posterior draws at a row of an answer, by functional, under the first posterior of
// the question: as many as there are ranks, each as large among them as its rank, from 0, tells. Of
// two classes the ranks of the first are turned round, so that the two probabilities of a draw have
// the sum 1. It panics unless there are [Question.Draws] ranks.
func (p *Predictor) Draws(a *Answer, row int, ranks []int) [][]float64 {
	prediction := a.prediction(p.methods[0], row)
	draws := make([][]float64, len(p.summaries[0]))
	for f, s := range p.summaries[0] {
		of := ranks
		if f == 0 && len(p.fitted.Classes()) == 2 {
			of = opposite(ranks)
		}
		draws[f] = s.Coupled(prediction, of)
	}
	return draws
}

// opposite turns the order of ranks round.
func opposite(ranks []int) []int {
	turned := make([]int, len(ranks))
	for b, rank := range ranks {
		turned[b] = len(ranks) - 1 - rank
	}
	return turned
}

// centralIntervals returns the central interval of the label of every row.
func centralIntervals(rows []amp.Prediction, level float64) []Interval {
	intervals := make([]Interval, len(rows))
	for i, row := range rows {
		intervals[i].Lo, intervals[i].Hi = amp.PredictiveInterval(row.PPD, level)
	}
	return intervals
}

// RowsError tells at which query rows the network failed.
type RowsError struct {
	File        string
	First, Last int64 // from 1
	Err         error
}

// Error names the rows and the cause.
func (e *RowsError) Error() string {
	return fmt.Sprintf("predicting rows %d to %d of %s: %v", e.First, e.Last, e.File, e.Err)
}

// Unwrap returns the cause.
func (e *RowsError) Unwrap() error { return e.Err }
