package pfn

import (
	"context"
	"errors"
	"slices"
)

// Result is a network's answer about one query row, all of it from one run.
type Result struct {
	PPD     PPD     // for a number: *Quantiles or *Bars; nil for a classifier
	Classes Classes // for a class; nil for a model for regression
	Own     Own     // the network's own posterior, if requested and the model has one
}

// Own is a posterior that a network itself returns, learned on synthetic tables: a *Surface or a
// *ClassPosterior.
type Own interface {
	into(r *Result)
	own()
}

// part is one head's answer about a row. If no network is needed, saved states hold it as JSON.
type part interface {
	// into sets the part's field in a result, after the label's head has set its own.
	into(r *Result)
}

func (d *Quantiles) into(r *Result) { r.PPD = d }
func (d *Bars) into(r *Result)      { r.PPD = d }

// into stores a copy, because rows share the probabilities if no feature varies.
func (p Classes) into(r *Result) { r.Classes = slices.Clone(p) }

func (s *Surface) into(r *Result) { r.Own = s }
func (s *Surface) own()           {}

func (p *ClassPosterior) into(r *Result) { r.Own = p }
func (p *ClassPosterior) own()           {}

// Own reports whether the network has a posterior of its own, see [Result].
func (m *Model) Own() bool { return m.heads[ofOwn] != nil }

// Results returns the network's answer about every query row, in order. With own, it includes the
// network's own posterior, if the model has one. A row's result does not depend on the other rows
// of the call, to the last bit on a CPU. Errors are *InputError, *ModelError, *StateError for a
// restored context, *NativeError, *TimeLimitError, ErrClosed or the cause of a cancelled ctx.
func (c *Context) Results(ctx context.Context, x Matrix, own bool) ([]Result, error) {
	results, err := c.predict(ctx, x, c.asked(own))
	if fault, ok := errors.AsType[*ModelError](err); ok && c.restored {
		return nil, &StateError{Err: fault, Msg: "the model fails with the content of the state: the " +
			"state is damaged, or the model is faulty"}
	}
	return results, err
}

// Predict returns the predictive distribution of every query row: *Quantiles or, from a TabPFN
// network, *Bars. It fails with a *TaskError for a classifier, and with the errors of
// [Context.Results].
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
