package pfnamp

import (
	"context"
	"errors"

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
// bundle, the name of an imported one, or a folder; see models.Find. The caller must close the
// model. Errors are those of models.Find and pfn.Open; if onnxruntime is missing, the text has the
// remedy.
func Open(name string, opt pfn.Options) (*pfn.Model, error) {
	bundle, err := models.Find(name)
	if err != nil {
		return nil, err
	}
	return openBundle(bundle, opt)
}

// OpenFor loads the default bundle of a task, models.RegressionTask or models.ClassificationTask;
// see [TaskOf]. Errors are those of models.ForTask and [Open].
func OpenFor(task string, opt pfn.Options) (*pfn.Model, error) {
	bundle, err := models.ForTask(task)
	if err != nil {
		return nil, err
	}
	return openBundle(bundle, opt)
}

// openBundle loads a bundle. Errors have their remedy in the text.
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

// Error returns the error and the remedy.
func (e *OpenError) Error() string { return e.Err.Error() + "\n" + e.Remedy }

// Unwrap returns the error without the remedy.
func (e *OpenError) Unwrap() error { return e.Err }

// Fitted is a model that has read a labelled table. It answers any number of questions, and is safe
// for concurrent use.
type Fitted struct {
	model   *pfn.Model
	context *pfn.Context
	schema  *tabular.Schema
	options FitOptions
	members int // requested number
	scales  []rows.Scale
	support amp.Support
	table   pfn.Training  // rows of the context; empty in a restored state
	groups  []string      // of these rows, nil if there are none
	splits  folds.Columns // likewise
	owner   bool          // of the model: Close closes it too
	lending pfn.Training  // rows of the context that lend cells
	read    rows.Index    // rows that the model and its trees have read
}

// Fit reads a labelled table with a model. Close the result before the model. Fit fails with a
// *tabular.Error about the table, a *pfn.LimitError if it is too large, a *pfn.NativeError or
// *pfn.ModelError of the network, or the cause of a cancelled ctx.
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

// Context returns the encoded table.
func (f *Fitted) Context() *pfn.Context { return f.context }

// Schema returns the schema of the table's columns.
func (f *Fitted) Schema() *tabular.Schema { return f.schema }

// Options returns the options of the fit; for a restored state, the saved ones.
func (f *Fitted) Options() FitOptions { return f.options }

// Support returns the possible values of a target of numbers.
func (f *Fitted) Support() amp.Support { return f.support }

// ContextRows returns encoded rows of the context with their targets; do not change them. It
// returns all rows, or the random subset that states keep, in their order. A table and a state made
// from it have the same rows.
func (f *Fitted) ContextRows() pfn.Training { return f.lending }

// WholeContext returns the encoded rows of the context with their targets; do not change them.
// known is false in a state that does not keep all rows. by has the groups or times of the rows,
// from FitOptions.Group and FitOptions.Time, which divide them in cross-validation; a state has
// none.
func (f *Fitted) WholeContext() (t pfn.Training, by folds.Columns, known bool) {
	switch {
	case f.table.X.Rows > 0:
		return f.table, f.splits, true
	case f.lending.X.Rows == f.context.Rows():
		return f.lending, f.splits, true
	}
	return t, by, false
}

// Part reads other rows with the same schema, for example a part of the context. The result answers
// like the whole. The caller must close it. Errors are those of pfn.Model.Fit.
func (f *Fitted) Part(ctx context.Context, t pfn.Training) (*Fitted, error) {
	c, err := f.model.Fit(ctx, t)
	if err != nil {
		return nil, err
	}
	return &Fitted{model: f.model, context: c, schema: f.schema, options: f.options,
		members: f.members, scales: rows.Scales(t.X, t.Categorical), support: f.support, table: t,
		lending: reading.Lenders(t), read: rows.NewIndex(t.X, t.Y)}, nil
}

// Task returns the task of the target.
func (f *Fitted) Task() Task { return Task{f.schema.Labels} }

// Classes lists the labels in the order of their probabilities, nil for a numeric target.
func (f *Fitted) Classes() []string { return f.Task().Classes() }

// Warnings returns warnings about the context: [warning.ConstantTarget] or [warning.NoFeature].
func (f *Fitted) Warnings() []warning.Warning {
	switch {
	case f.context.Degenerate():
		return []warning.Warning{warning.New(warning.ConstantTarget, "", "the target is constant, or "+
			"varies too little for its size: every interval is one value")}
	case f.context.Marginal():
		return []warning.Warning{warning.New(warning.NoFeature, "",
			"no feature varies: every row gets the distribution of the target")}
	}
	return nil
}

// Close frees the context. It closes the model only if [Load] has opened it. A second Close returns
// pfn.ErrClosed.
func (f *Fitted) Close() error {
	err := f.context.Close()
	if f.owner && err == nil {
		err = f.model.Close()
	}
	return err
}

// TellsRows reports whether features identify rows that the model has read. It is false if at least
// one such row in ten equals another one, and for a state that does not keep all of them.
func (f *Fitted) TellsRows() bool { return f.read != nil }

// Read reports whether the model or its trees have read a row with these features and the label y,
// a number or a class. It is false if that is unknown, see [Fitted.TellsRows].
func (f *Fitted) Read(x pfn.Matrix, row int, y float64) bool { return f.read.Has(x, row, y) }

// Scale is the mean and the standard deviation of a numeric feature over the rows of the context
// that have it. The deviation is 0 if the feature does not vary. Both are 0 for a category.
type Scale = rows.Scale

// varying counts the features that vary: numbers with a spread, and categories with two values or
// more. The result is at least 1.
func varying(s *tabular.Schema, scales []Scale) int {
	n := 0
	for j, c := range s.Encoded() {
		if len(c.Categories) > 1 || scales[j].Spread > 0 {
			n++
		}
	}
	return max(1, n)
}

// Varying returns the number d of features that vary; the published learning rate depends on it.
func (t *Training) Varying() int {
	return varying(t.Schema, rows.Scales(t.Data.X, t.Data.Categorical))
}

// Varying returns the number of features that vary; see [Training.Varying].
func (s *StateSchema) Varying() int { return varying(s.Schema, s.Scales) }

// Scales returns the scales of the features, which couple rows.
func (f *Fitted) Scales() []Scale { return f.scales }
