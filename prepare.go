package pfnamp

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/reading"
)

// Prepare readies a question: [Fitted.Ask], then [Predictor.Ready].
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

// Ask checks a question. What all rows share is left to [Predictor.Ready], except conformal
// intervals and sets. Errors are those of [Question.Complete], tell which setting of the chains is
// out of range, or are that of ctx when cancelled; of conformal intervals also [ErrNoTable] and a
// *[SmallTableError].
func (f *Fitted) Ask(ctx context.Context, q Question) (*Predictor, error) {
	q, err := q.Complete(f.schema, f.model.Bundle().Manifest)
	if err != nil {
		return nil, err
	}
	if err := q.checkDense(f.support); err != nil {
		return nil, err
	}
	p := &Predictor{fitted: f, question: q, methods: q.methods(), preparing: make(chan struct{}, 1)}
	if err := p.check(ctx); err != nil {
		return nil, err
	}
	if p.donors, err = f.donors(q); err != nil {
		return nil, err
	}
	if q.Predictive == ConformalInterval {
		if p.conformal, err = f.conformal(ctx, q); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// check tells what Ready would find wrong with the question. Only chains take time to prepare.
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
				return err
			}
		}
	}
	return nil
}

// Ready computes what all rows share unless it is there: it draws the chains, and loads the network
// meanwhile where pfn.Options.Late has left that. Answers do so themselves, with the first rows.
// Errors are those of pfn.Model.Load and that of ctx when cancelled.
func (p *Predictor) Ready(ctx context.Context) error {
	select {
	case p.preparing <- struct{}{}:
		defer func() { <-p.preparing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if p.summaries != nil {
		return nil
	}
	var made [][]amp.Summary
	var jobs errgroup.Group
	jobs.Go(panics.Job(func() error { return p.fitted.model.Load(ctx) }))
	jobs.Go(panics.Job(func() error {
		for _, method := range p.methods {
			summaries, err := p.prepare(ctx, method, p.question.Level)
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

// prepare readies every functional under a method at a level.
func (p *Predictor) prepare(
	ctx context.Context, method method, level float64,
) ([]amp.Summary, error) {
	summaries := make([]amp.Summary, len(p.question.Functionals))
	for i, f := range p.question.Functionals {
		var err error
		if summaries[i], err = method.Prepare(ctx, p.shape(), p.spec(method, f, level)); err != nil {
			return nil, err
		}
	}
	return summaries, nil
}

// shape is that of the context, of which features that do not vary say nothing.
func (p *Predictor) shape() amp.Shape {
	return amp.Shape{Rows: p.fitted.context.Rows(), Features: p.fitted.Varying()}
}

// spec is what is asked of a method about one functional at a level.
func (p *Predictor) spec(method method, f amp.Functional, level float64) amp.Spec {
	q := p.question
	return amp.Spec{Functional: f, Level: level, Interval: q.Interval,
		Errors: q.Errors && method.name.Chained()}
}

// donors returns the donors for a question, nil where the network reads missing cells itself. The
// error is a *pfn.StateError: old states have no donors.
func (f *Fitted) donors(q Question) (*reading.Donors, error) {
	switch {
	case f.lending.X.Rows > 0:
		return q.Missing.Donors(f.model.Bundle().Manifest, f.lending, f.context.Classes(), q.Seed), nil
	case q.Missing == reading.Average:
		return nil, &pfn.StateError{Msg: "the state keeps no rows that could lend cells to rows that " +
			"lack some; fit again"}
	}
	return nil, nil
}
