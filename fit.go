package pfnamp

import (
	"context"
	"errors"
	"sync"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/folds"
	"github.com/pfnamp/pfnamp/internal/rows"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/reading"
	"github.com/pfnamp/pfnamp/tabular"
	"github.com/pfnamp/pfnamp/warning"
)

// Open finds a bundle and loads it into onnxruntime. The name is "" or "default" for the embedded
// bundle, that of an imported one, or a folder; see models.Find. The caller closes the model.
// Errors are those of models.Find and pfn.Open; where onnxruntime is missing, the text has the
// remedy.
func Open(name string, opt pfn.Options) (*pfn.Model, error) {
	bundle, err := models.Find(name)
	if err != nil {
		return nil, err
	}
	return openBundle(bundle, opt)
}

// OpenFor loads the bundle that stands for a task, models.RegressionTask or
// models.ClassificationTask, such as [TaskOf] tells. Errors are those of models.ForTask and [Open].
func OpenFor(task string, opt pfn.Options) (*pfn.Model, error) {
	bundle, err := models.ForTask(task)
	if err != nil {
		return nil, err
	}
	return openBundle(bundle, opt)
}

// openBundle loads a bundle; an error has its remedy in the text.
func openBundle(bundle *models.Bundle, opt pfn.Options) (*pfn.Model, error) {
	m, err := pfn.Open(bundle, opt)
	if library := (*pfn.LibraryError)(nil); errors.As(err, &library) {
		return nil, &OpenError{err, library.Hint()}
	}
	return m, err
}

// OpenError is an error with its remedy in the text.
type OpenError struct {
	Err    error
	Remedy string
}

// Error returns the error and what to do about it.
func (e *OpenError) Error() string { return e.Err.Error() + "\n" + e.Remedy }

// Unwrap returns the error alone.
func (e *OpenError) Unwrap() error { return e.Err }

// Fitted is a model that has read a labelled table: anything can be asked of it, any number of
// times. It is safe for concurrent use.
type Fitted struct {
	model   *pfn.Model
	context *pfn.Context
	schema  *tabular.Schema
	options FitOptions
	members int // as asked for
	scales  []rows.Scale
	support amp.Support
	table   pfn.Training  // rows of the context; empty of a restored state
	groups  []string      // of these rows, nil without
	splits  folds.Columns // likewise
	owner   bool          // of the model, which Close closes too
	lending pfn.Training  // rows of the context that lend cells; empty of an old state

	once  sync.Once
	index rows.Index // of these rows, once it is asked for; see told
}

// Fit reads a labelled table with a model. The caller closes the result before the model. Errors
// are a *tabular.Error about the table, a *pfn.LimitError if it is too large, a *pfn.NativeError
// or *pfn.ModelError of the network, or the cause of a cancelled ctx.
func Fit(
	ctx context.Context, m *pfn.Model, table *tabular.Table, opt FitOptions,
) (*Fitted, error) {
	t, err := Learn(table, m.Bundle().Manifest, opt)
	if err != nil {
		return nil, err
	}
	return t.Fit(ctx, m)
}

// Model returns the model that has read the table.
func (f *Fitted) Model() *pfn.Model { return f.model }

// Context returns what the network remembers of the table.
func (f *Fitted) Context() *pfn.Context { return f.context }

// Schema returns what was learned of the table's columns.
func (f *Fitted) Schema() *tabular.Schema { return f.schema }

// Options returns the options that it was fitted with; those of a restored state are its own.
func (f *Fitted) Options() FitOptions { return f.options }

// Support returns the possible values of a target of numbers.
func (f *Fitted) Support() amp.Support { return f.support }

// ContextRows returns encoded rows of the context with their targets, which the caller must not
// change: all of them, or so many drawn at random as states keep, in their order. A state of an
// early version has none. A table and a state that was made of it have the same rows.
func (f *Fitted) ContextRows() pfn.Training { return f.lending }

// WholeContext returns the encoded rows of the context with their targets, which the caller must
// not change. A state keeps at most so many rows as lend cells; where these are not all, there are
// none.
func (f *Fitted) WholeContext() (t pfn.Training, known bool) {
	switch {
	case f.table.X.Rows > 0:
		return f.table, true
	case f.lending.X.Rows == f.context.Rows():
		return f.lending, true
	}
	return pfn.Training{}, false
}

// Division are the groups or times of the rows of [Fitted.WholeContext], by which cross-validation
// divides them: those of FitOptions.Group and FitOptions.Time. A restored state has none.
func (f *Fitted) Division() folds.Columns { return f.splits }

// Part lets the model read other rows of the same schema, such as a part of the context: it is
// asked like the whole. The caller closes it. Errors are those of pfn.Model.Fit.
func (f *Fitted) Part(ctx context.Context, t pfn.Training) (*Fitted, error) {
	c, err := f.model.Fit(ctx, t)
	if err != nil {
		return nil, err
	}
	return &Fitted{model: f.model, context: c, schema: f.schema, options: f.options,
		members: f.members, scales: rows.Scales(t.X, t.Categorical), support: f.support, table: t,
		lending: reading.Lenders(t)}, nil
}

// Task is what the target holds.
func (f *Fitted) Task() Task { return taskOf(f.schema.Labels) }

// Classes lists the labels in the order of their probabilities, nil where the target is a number.
func (f *Fitted) Classes() []string { return f.Task().Classes() }

// Warnings tells what is odd about the context: ConstantTarget or NoFeature.
func (f *Fitted) Warnings() []warning.Warning {
	switch {
	case f.context.Degenerate():
		return []warning.Warning{warning.ConstantTarget{}}
	case f.context.Marginal():
		return []warning.Warning{warning.NoFeature{}}
	}
	return nil
}

// Close frees the context, and the model of what [Load] has returned, but no other one. A second
// Close returns pfn.ErrClosed.
func (f *Fitted) Close() error {
	err := f.context.Close()
	if f.owner && err == nil {
		err = f.model.Close()
	}
	return err
}

// TellsRows reports whether rows of the context can be told from others by their features: not if
// one row in ten of the context or more is like another one, and not by a restored state.
func (f *Fitted) TellsRows() bool { return f.told().Tells() }

// told is the index of the rows of the context.
func (f *Fitted) told() rows.Index {
	f.once.Do(func() { f.index = rows.NewIndex(f.table.X, f.table.Y) })
	return f.index
}

// Scale is the mean and the standard deviation of a numeric feature over the rows of the context
// that have it. The deviation is 0 where it does not vary; both are 0 for a category.
type Scale = rows.Scale

// varying counts the features that vary: numbers that have a spread and categories of two values or
// more. A state that tells no scales counts all. At least one is counted.
func varying(s *tabular.Schema, scales []Scale) int {
	if len(scales) != s.Width() {
		return max(1, s.Width())
	}
	n := 0
	for j, c := range s.Encoded() {
		if len(c.Categories) > 1 || scales[j].Spread > 0 {
			n++
		}
	}
	return max(1, n)
}

// Varying is the number d of features that vary, on which the published learning rate depends.
func (t *Training) Varying() int {
	return varying(t.Schema, rows.Scales(t.Data.X, t.Data.Categorical))
}

// Varying is the number of features that vary; see [Training.Varying].
func (s *StateSchema) Varying() int { return varying(s.Schema, s.Scales) }

// Scales are those of the features, by which rows are coupled; none of an old state.
func (f *Fitted) Scales() []Scale { return f.scales }

// Varying is the number of features that vary; see [Training.Varying].
func (f *Fitted) Varying() int { return varying(f.schema, f.scales) }
