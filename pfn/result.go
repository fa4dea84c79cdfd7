package pfn

import (
	"context"
	"errors"
	"slices"
)

// Result is what a network says about one query row, all of it from one run.
type Result struct {
	PPD     PPD     // of a number: *Quantiles or *Bars; nil of a classifier
	Classes Classes // of a class; nil of a model for regression
	Own     Own     // the network's own posterior, if it was asked for and the model has one
}

// Own is a posterior that a network returns itself, learned on synthetic tables: a *Surface or a
// *ClassPosterior.
type Own interface {
	into(r *Result)
	own()
}

// part is what one head says about a row. Where no network is needed, it is kept in saved states as
// JSON.
type part interface {
	// into fills in the part's place in a result, after the label's head has filled in its own.
	into(r *Result)
}

func (d *Quantiles) into(r *Result) { r.PPD = d }
func (d *Bars) into(r *Result)      { r.PPD = d }

// into keeps a copy: rows of a table without features that vary have the same probabilities.
func (p Classes) into(r *Result) { r.Classes = slices.Clone(p) }

func (s *Surface) into(r *Result) { r.Own = s }
func (s *Surface) own()           {}

func (p *ClassPosterior) into(r *Result) { r.Own = p }
func (p *ClassPosterior) own()           {}

// Own reports whether the network has a posterior of its own, see [Result].
func (m *Model) Own() bool { return m.heads[ofOwn] != nil }

// Results returns what the network says about every query row, in order. With own, this includes
// the network's own posterior, if the model has one. A row's result does not depend on the other
// rows of the call, to the last bit on a CPU. Errors are *InputError, *ModelError, *StateError of a
// context that was restored, *NativeError, *TimeLimitError, ErrClosed or the cause of a cancelled
// ctx.
func (c *Context) Results(ctx context.Context, x Matrix, own bool) ([]Result, error) {
	results, err := c.predict(ctx, x, c.asked(own))
	if fault, ok := errors.AsType[*ModelError](err); ok && c.restored {
		return nil, &StateError{Err: fault, Msg: "what the state holds makes the model fail: the " +
			"state is damaged, or the model is faulty"}
	}
	return results, err
}

// Predict returns the predictive distribution of every query row, as [Context.Results] does:
// *Quantiles or, of a TabPFN network, *Bars. The error is a *TaskError of a classifier, or one of
// Results.
func (c *Context) Predict(ctx context.Context, x Matrix) ([]PPD, error) {
	if c.model.Classifier() {
		return nil, &TaskError{Model: c.model.Name(), Classifier: true}
	}
	results, err := c.Results(ctx, x, false)
	if err != nil {
		return nil, err
	}
	ppds := make([]PPD, len(results))
	for i, r := range results {
		ppds[i] = r.PPD
	}
	return ppds, nil
}
