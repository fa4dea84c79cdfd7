package pfnamp

import (
	"context"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// Predictor answers one question for any number of query rows. What does not depend on the rows,
// the chains above all, was computed when it was made. It is safe for concurrent use.
type Predictor struct {
	fitted    *Fitted
	question  Question // complete
	method    amp.Method
	summaries []amp.Summary
}

// Prepare readies a question. It fails if the question is out of range, with a *pfn.NoDirectError
// if the network has no posterior of its own, a *amp.FunctionalError if it does not know a
// functional, and the error of ctx when cancelled.
func (f *Fitted) Prepare(ctx context.Context, q Question) (*Predictor, error) {
	q, err := q.Complete(f.schema)
	if err != nil {
		return nil, err
	}
	if q.Posterior == Direct {
		if err := CheckDirect(f.model.Bundle().Manifest, q.Functionals); err != nil {
			return nil, err
		}
	}
	p := &Predictor{fitted: f, question: q}
	if p.method, err = q.method(); err != nil {
		return nil, err
	}
	p.summaries, err = p.prepare(ctx, q.Level)
	return p, err
}

// prepare readies every functional at a level.
func (p *Predictor) prepare(ctx context.Context, level float64) ([]amp.Summary, error) {
	q := p.question
	shape := amp.Shape{Rows: p.fitted.context.Rows(), Features: p.fitted.context.Columns()}
	summaries := make([]amp.Summary, len(q.Functionals))
	for i, f := range q.Functionals {
		var err error
		summaries[i], err = p.method.Prepare(ctx, shape, amp.Spec{
			Functional: f, Level: level, Interval: q.Interval, Errors: q.Errors})
		if err != nil {
			return nil, err
		}
	}
	return summaries, nil
}

// Fitted returns what is asked.
func (p *Predictor) Fitted() *Fitted { return p.fitted }

// Question returns the question with its defaults filled in.
func (p *Predictor) Question() Question { return p.question }

// Layout names the columns of answers.
func (p *Predictor) Layout() Layout { return p.question.Layout(p.fitted.schema) }

// Answer is what was asked of a run of query rows.
type Answer struct {
	Estimates   [][]amp.Estimate // by functional and row
	Predictive  []Interval       // of a label, by row; nil of classes
	Best        []int            // the most probable class, by row; nil of numbers
	Predictions []amp.Prediction // by row
	Warnings    []Warning        // UnseenCategories
	Notes       []string         // on the columns, see tabular.Features

	x pfn.Matrix
}

// Rows is the number of rows.
func (a *Answer) Rows() int { return len(a.Predictions) }

// Interval is an interval of numbers, Lo <= Hi.
type Interval struct{ Lo, Hi float64 }

// Predict answers for the rows of a batch, in order, whose columns are matched by name. Errors are
// a *tabular.Error about a column or cell, a *pfn.ModelError or *pfn.NativeError of the network,
// pfn.ErrClosed, or the cause of a cancelled ctx.
func (p *Predictor) Predict(ctx context.Context, b *tabular.Batch) (*Answer, error) {
	features, err := p.fitted.schema.Features(b)
	if err != nil {
		return nil, err
	}
	a, err := p.answer(ctx, features.Matrix)
	if err != nil {
		return nil, &RowsError{File: b.File, First: b.First + 1, Last: b.First + int64(b.Rows()),
			Err: err}
	}
	a.Notes = features.Notes
	for _, c := range p.fitted.schema.Columns {
		if n := features.Unseen[c.Name]; n > 0 {
			a.Warnings = append(a.Warnings, UnseenCategories{c.Name, n, p.fitted.schema.File})
		}
	}
	return a, nil
}

// answer predicts encoded rows and summarises their posteriors.
func (p *Predictor) answer(ctx context.Context, x pfn.Matrix) (*Answer, error) {
	a := &Answer{x: x}
	var err error
	if p.fitted.schema.Labels != nil {
		a.Predictions, a.Best, err = classPredictions(ctx, p.fitted.context, x)
	} else {
		a.Predictions, err = Predictions(ctx, p.fitted.context, x, p.question.Posterior == Direct)
		a.Predictive = predictive(a.Predictions, p.question.Level)
	}
	if err != nil {
		return nil, err
	}
	a.Estimates, err = p.estimates(ctx, p.summaries, a)
	return a, err
}

// estimates summarises the posterior of every functional at every row.
func (p *Predictor) estimates(
	ctx context.Context, summaries []amp.Summary, a *Answer,
) ([][]amp.Estimate, error) {
	all := make([][]amp.Estimate, len(summaries))
	for i, s := range summaries {
		all[i] = make([]amp.Estimate, a.Rows())
		if err := amp.Estimates(ctx, s, all[i], a.Predictions, p.question.Workers); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// At returns the estimates of an answer at another level, by functional and row.
func (p *Predictor) At(ctx context.Context, a *Answer, level float64) ([][]amp.Estimate, error) {
	summaries, err := p.prepare(ctx, level)
	if err != nil {
		return nil, err
	}
	return p.estimates(ctx, summaries, a)
}

// predictive returns the central predictive interval of the label of every row.
func predictive(rows []amp.Prediction, level float64) []Interval {
	intervals := make([]Interval, len(rows))
	for i, row := range rows {
		intervals[i].Lo, intervals[i].Hi = amp.PredictiveInterval(row.PPD, level)
	}
	return intervals
}
