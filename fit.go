package pfnamp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// FitOptions say what the columns of a training table are for and which rows are the context.
type FitOptions struct {
	Target      string   // column to predict
	Ignore      []string // columns that are no features
	Keep        []string // columns of query tables that pass through to answers, features or not
	Categorical []string // columns whose values are categories whatever they look like
	Numeric     []string // columns whose values must be numbers
	Subsample   int      // at most so many rows are the context, at least 2; 0 means all
	Seed        uint64   // draws these rows
	// ConformalBy is the column, a feature or not, whose values are the groups of Question.ConformalBy; ""
	// means none.
	ConformalBy string
	// Group is the column whose values are groups of rows that belong together, such as the rows of one
	// patient. Whatever is cross-validated keeps every group whole, and the column is no feature. "" means
	// that rows are independent.
	Group string
	// Time is the column of dates, times or numbers by which the past predicts the future in whatever is
	// cross-validated. It is a feature unless Ignore lists it. "" means that the order does not matter.
	Time string
	// Dates says what columns of dates and times become: calendar columns too, or a number alone.
	Dates tabular.Dates
	// Strict refuses a table of which rows lack the target, instead of leaving these rows out.
	Strict bool
	// Values are the possible values of a target of numbers, to which predictions keep; nil means those
	// that SupportOf recognises, and a zero amp.Support all numbers.
	Values *amp.Support
}

// schema is what package tabular needs of the options.
func (o FitOptions) schema(classifier bool) tabular.SchemaOptions {
	return tabular.SchemaOptions{Target: o.Target, Ignore: o.ignored(), Keep: o.Keep,
		Categorical: o.Categorical, Numeric: o.Numeric, Dates: o.Dates, Labels: classifier,
		RequireTarget: true}
}

// ignored lists the columns that are no features.
func (o FitOptions) ignored() []string {
	if o.Group == "" || slices.Contains(o.Ignore, o.Group) {
		return o.Ignore
	}
	return append(slices.Clone(o.Ignore), o.Group)
}

// Training is a labelled table made ready for a model.
type Training struct {
	Options  FitOptions
	Schema   *tabular.Schema // of the whole table; its labels are those of the context
	Target   TargetSummary   // of the whole table
	Data     pfn.Training    // rows of the context
	Places   []int           // where they are among the labelled rows, from 0; nil for all in their order
	Splits   SplitColumns    // of the rows of the context
	Support  amp.Support     // possible values of the target
	Warnings []Warning       // Unlabelled, PossibleLabels, FewValues, DrawnRows, SingleRows, DroppedLabels

	groups   []string // of the rows of the context, nil without
	labelled []int    // where the rows with a target are in the table, nil where all have one
}

// TargetSummary says what the target of a table holds.
type TargetSummary struct {
	Rows   int             // that have it
	Lo, Hi float64         // range of numbers
	Labels *tabular.Labels // classes, or nil
	Counts []int           // rows of every class
}

// Learn infers the schema of a training table, encodes it and draws the rows of the context. The
// manifest of the model tells whether the target holds numbers or labels. Errors are a
// *tabular.Error, which names file, row and column, or an [*OptionError].
func Learn(table *tabular.Table, m models.Manifest, opt FitOptions) (*Training, error) {
	if opt.Subsample == 1 || opt.Subsample < 0 {
		return nil, optionError("Subsample", "a context needs at least 2 rows, not %d", opt.Subsample)
	}
	if err := opt.checkSplits(table); err != nil {
		return nil, err
	}
	t := &Training{Options: opt}
	table, err := t.leaveOut(table)
	if err != nil {
		return nil, err
	}
	schema, err := tabular.Learn(table, opt.schema(m.Classifier()))
	if err != nil {
		return nil, err
	}
	features, y, err := schema.Training(table)
	if err != nil {
		return nil, err
	}
	task := taskOf(schema.Labels)
	t.Schema, t.Target = schema, task.summary(y)
	t.Data = pfn.Training{X: features.Matrix, Categorical: schema.Categorical(), Y: y}
	if err := task.settle(t, y); err != nil {
		return nil, err
	}
	t.arrange(m, t.draw(ordered(t.Data)))
	if err := t.readGroups(table); err != nil {
		return nil, err
	}
	if err := t.readSplits(table); err != nil {
		return nil, err
	}
	return t, task.admit(t, m)
}

// Fitted is a model that has read a labelled table: anything can be asked of it, any number of
// times. It is safe for concurrent use.
type Fitted struct {
	model   *pfn.Model
	context *pfn.Context
	schema  *tabular.Schema
	options FitOptions
	members int // as asked for
	scales  []Scale
	support amp.Support
	table   pfn.Training // rows of the context; empty of a restored state
	groups  []string     // of these rows, nil without
	splits  SplitColumns // likewise
	owner   bool         // of the model, which Close closes too
	lending pfn.Training // rows of the context that lend cells; empty of an old state

	rowsOnce sync.Once
	rows     map[uint64]bool // of the context, by the hash of their features
	labelled map[uint64]bool // the same with their labels
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

// Task is what the target holds.
func (t *Training) Task() Task { return taskOf(t.Schema.Labels) }

// Fit encodes the context. Errors are those of [Fit].
func (t *Training) Fit(ctx context.Context, m *pfn.Model) (*Fitted, error) {
	c, err := m.Fit(ctx, t.Data)
	if err != nil {
		return nil, t.locate(err)
	}
	return &Fitted{model: m, context: c, schema: t.Schema, options: t.Options,
		members: m.Members(), scales: scalesOf(t.Data), support: t.Support, table: t.Data,
		groups: t.groups, splits: t.Splits,
		lending: donorRows(t.Data)}, nil
}

// locate names the file, and the row and column where one is concerned, of an error of the
// network about the context.
func (t *Training) locate(err error) error {
	var input *pfn.InputError
	if !errors.As(err, &input) {
		return fmt.Errorf("%s: %w", t.Schema.File, err)
	}
	row := input.Row
	if t.Places != nil && row >= 0 {
		row = t.Places[row]
	}
	if t.labelled != nil && row >= 0 {
		row = t.labelled[row]
	}
	e := &tabular.Error{File: t.Schema.File, Row: int64(row + 1), Msg: input.Msg}
	encoded := t.Schema.Encoded()
	switch {
	case input.Col >= 0 && input.Col < len(encoded):
		e.Column = encoded[input.Col].Name
	case input.Col < 0 && input.Row >= 0:
		e.Column = t.Options.Target
	}
	return e
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

// ContextRows returns encoded rows of the context with their targets, which the caller must not change:
// all of them, or so many drawn at random as states keep, in their order. A state of an early version has
// none. A table and a state that was made of it have the same rows.
func (f *Fitted) ContextRows() pfn.Training { return f.lending }

// Task is what the target holds.
func (f *Fitted) Task() Task { return taskOf(f.schema.Labels) }

// Classes lists the labels in the order of their probabilities, nil where the target is a number.
func (f *Fitted) Classes() []string { return f.Task().Classes() }

// Warnings tells what is odd about the context: ConstantTarget or NoFeature.
func (f *Fitted) Warnings() []Warning {
	switch {
	case f.context.Degenerate():
		return []Warning{ConstantTarget{}}
	case f.context.Marginal():
		return []Warning{NoFeature{}}
	}
	return nil
}

// Close frees the context, and the model of what [Load] has returned, but no other one. A second Close
// returns pfn.ErrClosed.
func (f *Fitted) Close() error {
	err := f.context.Close()
	if f.owner && err == nil {
		err = f.model.Close()
	}
	return err
}
