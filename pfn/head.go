package pfn

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// role is the purpose of a head. It identifies its part of a result.
type role int

const (
	ofLabel role = iota // the label's distribution, which every bundle has
	ofOwn               // the network's own posterior
	roles               // how many there are
)

// head is one output of the query graph. It turns the members' output for a row into one
// distribution.
type head interface {
	output() output
	// combiner returns a function that makes the distributions of a context.
	combiner(e ensemble, t target) combiner
	// alone returns the distribution of every row of a table that needs no network: a point mass if
	// the target is constant, otherwise a distribution from the target without features.
	alone(t *table) part
	// restore reads the result of alone from the JSON of a saved state.
	restore(data []byte) (part, error)
}

// kind is a kind of head.
type kind struct {
	role role
	// announced returns the head if the manifest announces one, otherwise nil.
	announced func(*models.Manifest) head
}

// kinds lists all kinds. A bundle has one for the label, and may have one for its own posterior. A
// new kind needs a line here and a file.
var kinds = []kind{
	{ofLabel, quantilesOf},
	{ofLabel, barsOf},
	{ofLabel, classesOf},
	{ofOwn, surfaceOf},
	{ofOwn, classPosteriorOf},
}

// output is the name of an output, and its shape for one member and row.
type output struct {
	name  string
	shape []int
}

func (o output) size() int {
	n := 1
	for _, d := range o.shape {
		n *= d
	}
	return n
}

// combiner makes a part of the result of one row from the members' outputs for it. Members of bars
// and classes have equal weights.
type combiner func(members [][]float32, w weighing) part

// always returns the combiner of a context without members.
func always(p part) combiner {
	return func([][]float32, weighing) part { return p }
}

// voice is a head in a context.
type voice struct {
	head
	role    role
	output  output // for one member and row of this context
	combine combiner
}

// giveVoice creates the voices of a context.
func (c *Context) giveVoice(combiners func(r role, h head) combiner) {
	for r, h := range c.model.heads {
		if h == nil {
			continue
		}
		o := h.output()
		if c.hierarchy != nil {
			o.shape = append([]int{c.target.classes}, o.shape[1:]...)
		}
		c.voices[r] = &voice{h, role(r), o, combiners(role(r), h)}
	}
}

// asked returns the voices for a question, the label's first.
func (c *Context) asked(own bool) []*voice {
	asked := []*voice{c.voices[ofLabel]}
	if own && c.voices[ofOwn] != nil {
		asked = append(asked, c.voices[ofOwn])
	}
	return asked
}

// headsOf returns the heads that a manifest announces. The gate of package models has found their
// outputs in the query graph, in this order.
func headsOf(m *models.Manifest) (heads [roles]head) {
	for _, k := range kinds {
		if h := k.announced(m); h != nil {
			heads[k.role] = h
		}
	}
	return heads
}

// read takes one head's values from the results of a run for a block of query rows. Rows after the
// block's are padding.
func (m *Model) read(v *voice, out []ort.Tensor, b block, padded int) ([]float32, error) {
	o, t := v.head.output(), out[v.role]
	want := shape(append([]int{1, padded}, o.shape...)...)
	if !slices.Equal(t.Shape, want) || len(t.Data) < padded*o.size() {
		return nil, &ModelError{m.Name(), fmt.Sprintf(
			"the output %q has the shape %v from query row %d on, instead of %v",
			o.name, t.Shape, b.first, want)}
	}
	for i := range b.rows {
		if !finite(t.Data[i*o.size() : (i+1)*o.size()]) {
			return nil, &ModelError{m.Name(), fmt.Sprintf(
				"the output %q has NaN or Inf for query row %d", o.name, b.first+i)}
		}
	}
	return t.Data, nil
}

// Result is a network's answer about one query row, all of it from one run.
type Result struct {
	PPD     distr.PPD     // for a number: *distr.Quantiles or *distr.Bars; nil for a classifier
	Classes distr.Classes // for a class; nil for a model for regression
	// Own is the network's own posterior, learned on synthetic tables: a *distr.Surface or a
	// *distr.ClassPosterior; nil unless it is requested and the model has one.
	Own any
}

// part is one head's answer about a row: a distr.PPD, distr.Classes, a *distr.Surface or
// unanchored. If no network is needed, saved states hold it as JSON.
type part any

// put sets the part's field in a result, after the label's head has set its own. Rows share the
// classes if no feature varies, so it copies them.
func (r *Result) put(p part) {
	switch p := p.(type) {
	case distr.PPD:
		r.PPD = p
	case distr.Classes:
		r.Classes = slices.Clone(p)
	case unanchored:
		r.Own = p.anchored(r.Classes)
	default:
		r.Own = p
	}
}

// Own reports whether the network has a posterior of its own, see [Result].
func (m *Model) Own() bool { return m.heads[ofOwn] != nil }

// Results returns the network's answer about every query row, in order. With own, it includes the
// network's own posterior, if the model has one. A row's result does not depend on the other rows
// of the call, to the last bit on a CPU. Errors are *InputError, *ModelError, *StateError for a
// restored context, *NativeError, *TimeLimitError, ErrClosed or the cause of a cancelled ctx.
func (c *Context) Results(ctx context.Context, x Matrix, own bool) (_ []Result, err error) {
	defer panics.Catch(&err) // of a state that was not saved by this program
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
func (c *Context) Predict(ctx context.Context, x Matrix) ([]distr.PPD, error) {
	if c.model.Classifier() {
		return nil, &TaskError{Model: c.model.Name(), Classifier: true}
	}
	results, err := c.Results(ctx, x, false)
	if err != nil {
		return nil, err
	}
	ppds := make([]distr.PPD, len(results))
	for i, r := range results {
		ppds[i] = r.PPD
	}
	return ppds, nil
}
