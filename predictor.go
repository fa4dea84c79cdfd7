package pfnamp

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/heldout"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/reading"
	"github.com/pfnamp/pfnamp/tabular"
	"github.com/pfnamp/pfnamp/warning"
)

// Predictor answers one question for any number of query rows. It computes only once what does not
// depend on the rows, above all the chains. It is safe for concurrent use.
type Predictor struct {
	fitted    *Fitted
	question  Question // complete
	methods   []method
	conformal *heldout.Conformal // nil unless requested
	donors    *reading.Donors    // nil if the network handles missing cells itself

	preparing chan struct{}   // holds a value while summaries are read or made
	summaries [][]amp.Summary // by posterior and functional
}

// Conformal returns the source of conformal predictive intervals, nil if intervals come from the
// PPD.
func (p *Predictor) Conformal() *heldout.Conformal { return p.conformal }

// Close frees the contexts of conformal intervals, which only the predictor uses.
func (p *Predictor) Close() error {
	if p.conformal == nil {
		return nil
	}
	return p.conformal.Close()
}

// Fitted returns the fitted table of the predictor.
func (p *Predictor) Fitted() *Fitted { return p.fitted }

// Question returns the question with its defaults.
func (p *Predictor) Question() Question { return p.question }

// Warnings returns warnings about query rows, from the tally of an answer or of several, see
// [warning.Tally.Warnings].
func (p *Predictor) Warnings(t warning.Tally) []warning.Warning {
	return t.Warnings(p.fitted.schema,
		p.question.Missing.Averages(p.fitted.model.Bundle().Manifest))
}

// Read is [Fitted.Read] for a row of an answer.
func (p *Predictor) Read(a *Answer, row int, y float64) bool { return p.fitted.Read(a.x, row, y) }

// Layout returns the names of the columns of answers.
func (p *Predictor) Layout() Layout { return p.question.Layout(p.fitted.schema) }

// Predict answers the rows of a batch, in order. It matches columns by name. It fails with a
// *tabular.Error about a column or cell, or with a [*RowsError] that wraps a *pfn.ModelError or
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

// answer predicts encoded rows with groups and summarises their posteriors.
func (p *Predictor) answer(
	ctx context.Context, x pfn.Matrix, groups []int,
) (_ *Answer, err error) {
	defer panics.Catch(&err) // of a state that was not saved by this program
	a := &Answer{x: x, names: p.question.Names(p.fitted.schema)}
	if err := p.Ready(ctx); err != nil {
		return nil, err
	}
	task := p.fitted.Task()
	a.Predictions, err = p.donors.Predictions(ctx, p.fitted.context, x, p.question.own())
	if err != nil {
		return nil, err
	}
	a.Best = task.best(a.Predictions)
	if a.fallen, err = p.fallBack(a.Predictions); err != nil {
		return nil, err
	}
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
	for _, under := range a.Posteriors {
		for f, estimates := range under.Estimates {
			for row, e := range estimates {
				estimates[row] = e.Holding(a.Posteriors[0].Estimates[f][row].Point)
			}
		}
	}
	return a, nil
}

// Predictions returns what the network predicts for encoded rows, without posteriors. Errors are
// those of [Predictor.Predict] about the network.
func (p *Predictor) Predictions(ctx context.Context, x pfn.Matrix) ([]amp.Prediction, error) {
	if err := p.Ready(ctx); err != nil {
		return nil, err
	}
	said, err := p.donors.Predictions(ctx, p.fitted.context, x, false)
	return p.fitted.support.Predictions(said), err
}

// contradiction is the inconsistency of a surface (amp.Surface.Inconsistency) from which on chains
// answer a row.
const contradiction = 0.15

// fallBack reports which rows chains answer, because the network's outputs contradict each other
// there: none unless Auto is requested.
func (p *Predictor) fallBack(rows []amp.Prediction) ([]bool, error) {
	fallen := make([]bool, len(rows))
	if !slices.Contains(p.question.Posteriors, Auto) {
		return fallen, nil
	}
	return fallen, panics.Each(len(rows), func(i int) {
		s, ok := rows[i].Own.(*amp.Surface)
		fallen[i] = ok && s.Inconsistency() > contradiction
	})
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

// At returns the estimates of an answer at other levels, one for each functional, by functional and
// row, under the first posterior of the question.
func (p *Predictor) At(ctx context.Context, a *Answer, levels []float64) ([][]amp.Estimate, error) {
	summaries, err := p.prepare(ctx, p.methods[0], levels)
	if err != nil {
		return nil, err
	}
	return p.estimates(ctx, p.methods[0], summaries, a)
}

// Draws returns posterior draws at a row of an answer, by functional, under the first posterior of
// the question. There is one draw per rank, and the draws have the order of the functional's ranks,
// from 0. Draws panics unless there are [Question.Draws] ranks.
func (p *Predictor) Draws(a *Answer, row int, ranks [][]int) [][]float64 {
	prediction := a.prediction(p.methods[0], row)
	draws := make([][]float64, len(p.summaries[0]))
	for f, s := range p.summaries[0] {
		draws[f] = s.Coupled(prediction, ranks[f])
	}
	return draws
}

// Prepare prepares a question: [Fitted.Ask], then [Predictor.Ready].
func (f *Fitted) Prepare(ctx context.Context, q Question) (*Predictor, error) {
	p, err := f.Ask(ctx, q)
	if err != nil {
		return nil, err
	}
	if err := p.Ready(ctx); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// Ask checks a question. It leaves everything that rows share to [Predictor.Ready], except
// conformal intervals and sets. It fails with the errors of [Question.Complete], an [*OptionError]
// about a setting of the chains, or the cause of a cancelled ctx; for conformal intervals also with
// [ErrNoTable] and a *[SmallTableError].
func (f *Fitted) Ask(ctx context.Context, q Question) (*Predictor, error) {
	q, err := q.Complete(f.schema, f.model.Bundle().Manifest)
	if err != nil {
		return nil, err
	}
	if err := q.checkDense(f.support); err != nil {
		return nil, err
	}
	p := &Predictor{fitted: f, question: q, methods: q.methods(f.Task()),
		preparing: make(chan struct{}, 1)}
	if err := p.check(ctx); err != nil {
		return nil, err
	}
	p.donors = q.Missing.Donors(f.model.Bundle().Manifest, f.lending, f.context.Classes(), q.Seed)
	if why := f.context.Alone(); why != nil && slices.Contains(q.Posteriors, Companion) {
		return nil, fmt.Errorf("%s: the companion cannot read the table: %w", f.schema.File, why)
	}
	if q.Predictive == ConformalInterval {
		if p.conformal, err = f.conformal(ctx, q); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// check returns the errors that Ready would return. Only chains take time to prepare.
func (p *Predictor) check(ctx context.Context) error {
	for _, method := range p.methods {
		chains, ok := method.Method.(amp.Chains)
		for _, f := range p.question.Functionals {
			spec := p.spec(method, f, p.question.Level)
			var err error
			if ok {
				err = chains.Check(p.shape(), spec)
			} else {
				_, err = method.Prepare(ctx, p.shape(), spec)
			}
			if err != nil {
				return asOption(err)
			}
		}
	}
	return nil
}

// Ready computes everything that rows share, once. It draws the chains, and meanwhile loads the
// network if pfn.Options.Late has left it. Otherwise the first answer does this. Errors are those
// of pfn.Context.Load and the cause of a cancelled ctx.
func (p *Predictor) Ready(ctx context.Context) error {
	select {
	case p.preparing <- struct{}{}:
		defer func() { <-p.preparing }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if p.summaries != nil {
		return nil
	}
	var made [][]amp.Summary
	var jobs errgroup.Group
	jobs.Go(panics.Job(func() error { return p.fitted.context.Load(ctx, p.question.own()) }))
	jobs.Go(panics.Job(func() error {
		levels := slices.Repeat([]float64{p.question.Level}, len(p.question.Functionals))
		for _, method := range p.methods {
			summaries, err := p.prepare(ctx, method, levels)
			if err != nil {
				return err
			}
			made = append(made, summaries)
		}
		return nil
	}))
	if err := jobs.Wait(); err != nil {
		return err
	}
	p.summaries = made
	return nil
}

// prepare prepares every functional under a method at its level.
func (p *Predictor) prepare(
	ctx context.Context, method method, levels []float64,
) ([]amp.Summary, error) {
	summaries := make([]amp.Summary, len(p.question.Functionals))
	for i, f := range p.question.Functionals {
		spec := p.spec(method, f, min(levels[i], amp.MaxLevel))
		var err error
		if summaries[i], err = method.Prepare(ctx, p.shape(), spec); err != nil {
			return nil, err
		}
	}
	return summaries, nil
}

// shape returns the shape of the context, with the features that vary.
func (p *Predictor) shape() amp.Shape {
	f := p.fitted
	return amp.Shape{Rows: f.context.Rows(), Features: varying(f.schema, f.scales)}
}

// spec returns the specification of one functional at a level for a method.
func (p *Predictor) spec(method method, f amp.Functional, level float64) amp.Spec {
	q := p.question
	return amp.Spec{Functional: f, Level: level, Interval: q.Interval,
		Errors: q.Errors && method.name.Chained()}
}
