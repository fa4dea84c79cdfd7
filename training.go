package pfnamp

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/folds"
	"github.com/pfnamp/pfnamp/heldout"
	"github.com/pfnamp/pfnamp/internal/rows"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/reading"
	"github.com/pfnamp/pfnamp/tabular"
	"github.com/pfnamp/pfnamp/warning"
)

// FitOptions assign roles to the columns of a training table, and select the rows of the context.
type FitOptions struct {
	Target      string   // column to predict
	Ignore      []string // columns that are not features
	Keep        []string // columns of query tables that pass through to answers, features or not
	Categorical []string // columns whose values are categories whatever they look like
	Numeric     []string // columns whose values must be numbers
	// KeepFeatures are columns that are features even if they look like identifiers.
	KeepFeatures []string
	// Subsample is the largest number of context rows, at least 2; Seed draws them at random. 0 means
	// all, or of a table that is too large for the model a part, while trees read the others
	// (reading.Divide). [WholeTable] means all rows of the table.
	Subsample int
	Seed      uint64
	// ConformalBy is the column, a feature or not, whose values are the groups of
	// Question.ConformalBy; "" means none.
	ConformalBy string
	// Group is the column whose values are groups of rows that belong together, such as the rows of
	// one patient. Cross-validation keeps every group whole, and the column is not a feature. ""
	// means that rows are independent.
	Group string
	// Time is the column of dates, times or numbers that orders the rows: cross-validation predicts
	// the future from the past. It is a feature unless Ignore lists it. "" means that the order
	// does not matter.
	Time string
	// Dates is how columns with dates and times are read and encoded.
	Dates tabular.Dates
	// Strict refuses what is only noted otherwise: rows that lack the target, or that repeat other
	// rows or their features far more often than chance explains; a column that determines the
	// target alone, unless KeepFeatures names it; and all that tabular.SchemaOptions.Strict refuses.
	Strict bool
	// KeepRepeated reads rows that repeat others, or their features, as observations of their own,
	// and warns of neither. Folds keep equal rows together.
	KeepRepeated bool
	// Values are the possible values of a numeric target. Predictions keep to them. nil means those
	// that SupportOf infers, and a zero amp.Support all numbers.
	Values *amp.Support
}

// WholeTable as FitOptions.Subsample refuses a table with more rows than the model reads.
const WholeTable = -1

// schema returns the options for package tabular.
func (o FitOptions) schema(classifier bool) tabular.SchemaOptions {
	return tabular.SchemaOptions{Target: o.Target, Ignore: o.ignored(), Keep: o.Keep,
		Categorical: o.Categorical, Numeric: o.Numeric, Dates: o.Dates, Labels: classifier,
		KeepFeatures: slices.DeleteFunc(append(slices.Clone(o.KeepFeatures), o.Time),
			func(name string) bool { return name == "" }), Strict: o.Strict, RequireTarget: true}
}

// ignored lists the columns that are not features.
func (o FitOptions) ignored() []string {
	if o.Group == "" || slices.Contains(o.Ignore, o.Group) {
		return o.Ignore
	}
	return append(slices.Clone(o.Ignore), o.Group)
}

// Training is a labelled table prepared for a model.
type Training struct {
	Options FitOptions
	Schema  *tabular.Schema // of the whole table; its labels are those of the context
	Target  TargetSummary   // of the whole table
	Data    pfn.Training    // rows of the context
	Places  []int           // of the context rows among those that count, from 0
	Splits  folds.Columns   // of the rows of the context
	Support amp.Support     // possible values of the target
	// Unlabelled, Repeated, SameFeatures, Copies, Alone, PossibleLabels, FewValues, DrawnRows,
	// SingleRows, DroppedLabels
	Warnings []warning.Warning

	large    large     // empty if the model reads all rows
	groups   []string  // of the context rows, nil if there are none
	places   []float64 // of the classes of all rows that count, see rows.Classes; nil for numbers
	labelled []int     // positions in the table of the rows that count, nil if all do
}

// TargetSummary summarises the target of a table.
type TargetSummary struct {
	Rows   int             // rows with a target
	Lo, Hi float64         // range of numbers
	Labels *tabular.Labels // classes, or nil
	Counts []int           // rows of every class
}

// Learn infers the schema of a training table, encodes it and draws the rows of the context. The
// model's manifest decides whether the target holds numbers or labels. It fails with a
// *tabular.Error, which names file, row and column, or an [*OptionError].
func Learn(table *tabular.Table, m models.Manifest, opt FitOptions) (*Training, error) {
	if opt.Subsample == 1 || opt.Subsample < WholeTable {
		return nil, optionError("Subsample", "a subsample of %d rows is less than 2", opt.Subsample)
	}
	if err := opt.checkSplits(table); err != nil {
		return nil, err
	}
	t := &Training{Options: opt}
	table, err := t.leaveOut(table)
	if err != nil {
		return nil, err
	}
	if table, err = t.once(table, m.Classifier()); err != nil {
		return nil, err
	}
	y := t.Data.Y
	t.Target = t.Task().summary(y)
	if n := len(t.Target.Counts); n > 0 {
		t.places = rows.Renumbered(y, rows.Classes(t.Data.X, t.Data.Categorical, y, n))
	}
	if len(m.Ensemble.Trends) > 0 {
		t.Schema = t.Schema.ByContent(t.Data.X, t.ranks(y))
		t.Data.Categorical = t.Schema.Categorical()
	}
	if err := t.settle(y); err != nil {
		return nil, err
	}
	t.arrange(m)
	if err := t.readGroups(table); err != nil {
		return nil, err
	}
	return t, t.admit(m)
}

// ranks returns targets whose order does not depend on the numbers of classes.
func (t *Training) ranks(y []float64) []float64 {
	if t.places != nil {
		return t.places
	}
	return y
}

// leaveOut drops the rows of a table that lack the target, unless the options refuse such rows. It
// leaves errors in the options to tabular.Learn.
func (t *Training) leaveOut(table *tabular.Table) (*tabular.Table, error) {
	target := t.Options.Target
	if t.Options.Strict || table.Schema.FieldIndices(target) == nil || table.Rows == 0 {
		return table, nil
	}
	labelled, err := table.Labelled(target)
	if err != nil || labelled == table {
		return table, err
	}
	t.labelled = labelled.Positions()
	t.Warnings = append(t.Warnings, warning.UnlabelledOf(table.File, target,
		int(table.Rows-labelled.Rows), int(table.Rows), table.MissingText(target)))
	return labelled, nil
}

// Task returns the task of the target.
func (t *Training) Task() Task { return Task{t.Schema.Labels} }

// Fit encodes the context. Errors are those of [Fit].
func (t *Training) Fit(ctx context.Context, m *pfn.Model) (*Fitted, error) {
	x, y, most := t.Data.X, t.Data.Y, m.Bundle().Manifest.Limits.MaxFeatures
	if whole := t.large.whole; whole.Y != nil {
		x, y = whole.X, whole.Y
		if err := m.CheckMemory(t.Data.X.Rows, min(x.Cols+1, most)); err != nil {
			return nil, t.locate(err)
		}
	}
	read := rows.NewIndex(x, y)
	if err := t.grow(ctx, most); err != nil {
		return nil, err
	}
	c, err := m.Fit(ctx, t.Data)
	if err != nil {
		return nil, t.locate(err)
	}
	return &Fitted{model: m, context: c, schema: t.Schema, options: t.Options, members: m.Members(),
		scales: rows.Scales(t.Data.X, t.Data.Categorical), support: t.Support, table: t.Data,
		groups: t.groups, splits: t.Splits, lending: reading.Lenders(t.Data), read: read}, nil
}

// Position is the position in the table, from 0, of a row of Data.
func (t *Training) Position(row int) int {
	row = t.Places[row]
	if t.labelled != nil {
		row = t.labelled[row]
	}
	return row
}

// locate adds the file, and the row and column if known, to an error of the network about the
// context.
func (t *Training) locate(err error) error {
	var input *pfn.InputError
	if !errors.As(err, &input) {
		return fmt.Errorf("%s: %w", t.Schema.File, err)
	}
	row := input.Row
	if row >= 0 {
		row = t.Position(row)
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

// checkSplits refuses options that divide no rows, with a *tabular.Error about a column or an
// *OptionError.
func (o FitOptions) checkSplits(table *tabular.Table) error {
	switch {
	case o.Group != "" && o.Time != "":
		return optionError("Time", "Group and Time cannot be combined: drop one of them")
	case o.Target != "" && (o.Group == o.Target || o.Time == o.Target):
		return &tabular.Error{File: table.File, Column: o.Target,
			Msg:  "the target cannot be the column of groups or times",
			Hint: "name another column"}
	}
	return nil
}

// readSplits reads the groups and times of the rows of a labelled table. It fails with a
// *tabular.Error about a column.
func (t *Training) readSplits(table *tabular.Table) (err error) {
	o := t.Options
	if o.Group != "" {
		t.Splits.Groups, t.Splits.Names, err = wholeGroups(t.Schema, table, o.Group)
	}
	if o.Time != "" && err == nil {
		t.Splits.Times, err = table.Times(o.Time)
	}
	return err
}

// wholeGroups numbers the groups of all rows of a table. It fails if a cell is missing, because the
// group of that row is unknown.
func wholeGroups(s *tabular.Schema, table *tabular.Table, column string) (of []int, names []string,
	err error) {
	var all []string
	for _, b := range table.Batches {
		cells, err := s.Texts(b, column)
		if err != nil {
			return nil, nil, err
		}
		for i := range b.Rows() {
			name, ok := cells(i)
			if !ok {
				return nil, nil, &tabular.Error{File: table.File, Row: int64(len(all) + 1), Column: column,
					Msg:  "the cell is empty, so the group of the row is unknown",
					Hint: "fill in the cell, or remove the row"}
			}
			all = append(all, name)
		}
	}
	names = slices.Compact(slices.Sorted(slices.Values(all)))
	of = make([]int, len(all))
	for i, name := range all {
		of[i], _ = slices.BinarySearch(names, name)
	}
	return of, names, nil
}

// readGroups stores the groups of the context rows of a labelled table.
func (t *Training) readGroups(table *tabular.Table) error {
	switch column := t.Options.ConformalBy; {
	case column == "" || t.Task().everyClass(column):
		return nil
	case column == t.Options.Target:
		return &tabular.Error{File: table.File, Column: column, Msg: "the target cannot be the column " +
			"of groups: query rows lack it",
			Hint: "name another column; for groups by class, name \"" + heldout.ByClass + "\""}
	}
	var all []string
	for _, b := range table.Batches {
		names, err := heldout.GroupNames(t.Schema, b, t.Options.ConformalBy)
		if err != nil {
			return err
		}
		all = append(all, names...)
	}
	t.groups = make([]string, len(t.Places))
	for i, place := range t.Places {
		t.groups[i] = all[place]
	}
	return nil
}
