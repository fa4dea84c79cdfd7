package pfnamp

import (
	"context"
	"errors"
	"slices"

	"github.com/pfnamp/pfnamp/drift"
	"github.com/pfnamp/pfnamp/folds"
	"github.com/pfnamp/pfnamp/heldout"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/reading"
	"github.com/pfnamp/pfnamp/tabular"
)

// DefaultFolds is K of conformal predictions.
const DefaultFolds = 10

// timeFirst is the share of the rows that every model of a conformal prediction in time order
// reads.
const timeFirst = 0.5

// CheckFolds is the number of folds of [Fitted.CheckLabels].
const CheckFolds = 5

// ErrNoTable reports conformal intervals requested from a restored state.
var ErrNoTable = errors.New("conformal intervals need the training table: a state holds it only " +
	"as a whole, and they leave rows out")

// ErrOneRow reports a context that has no row to leave out.
var ErrOneRow = errors.New("the context has one row, which no model can leave out: fit more rows")

// conformal prepares the conformal intervals or sets of a question.
func (f *Fitted) conformal(ctx context.Context, q Question) (*heldout.Conformal, error) {
	if f.table.X.Rows == 0 {
		return nil, ErrNoTable
	}
	groups, err := f.grouping(q)
	if err != nil {
		return nil, err
	}
	if q.Shift != nil && len(q.Shift.Context) != f.table.X.Rows {
		return nil, optionError("Shift", "the weights are of another context: use Fitted.Shift")
	}
	plan := f.splits.Plan(folds.Plan{Count: min(DefaultFolds, max(2, f.table.X.Rows)), Seed: q.Seed,
		Strata: groups.Of, First: timeFirst}).Fitting()
	return f.heldOut(f.table, q.Missing, q.Seed).Conformal(ctx, heldout.Promise{Level: q.Level,
		Groups: groups, Plan: plan, Shift: q.Shift})
}

// heldOut returns the table from which the model reads parts of rows of the context.
func (f *Fitted) heldOut(rows pfn.Training, missing reading.Missing, seed uint64) heldout.Table {
	return heldout.Table{Model: f.model, Rows: rows, Target: f.Task().heldOut(), Missing: missing,
		Possible: f.support, Seed: seed}
}

// grouping divides the context as the question asks. It fails with an *OptionError.
func (f *Fitted) grouping(q Question) (heldout.Groups, error) {
	g := heldout.Groups{Column: q.ConformalBy, Of: make([]int, f.table.X.Rows)}
	switch {
	case q.ConformalBy == "":
	case f.Task().everyClass(q.ConformalBy):
		g.Names, g.Of, g.ByClass = f.Classes(), classesOf(f.table.Y), true
	case q.ConformalBy != f.options.ConformalBy:
		return g, optionError("ConformalBy", "the question has groups of column %q, and the fit kept "+
			"groups of %q: name the same column in FitOptions.ConformalBy", q.ConformalBy,
			f.options.ConformalBy)
	default:
		g.Names = slices.Compact(slices.Sorted(slices.Values(f.groups)))
		for i, name := range f.groups {
			g.Of[i] = g.Find(name)
		}
	}
	return g, nil
}

// Shift estimates the weights of [Question.Shift]: the odds that a row belongs to the batch,
// encoded by the schema, and not to the context. It fails with [ErrNoTable] and a *drift.RowsError.
func (f *Fitted) Shift(batch pfn.Matrix, seed uint64) (*drift.Weights, error) {
	if f.table.X.Rows == 0 {
		return nil, ErrNoTable
	}
	return drift.Weigh(f.table.X, batch, f.table.Categorical, seed)
}

// GroupColumn returns the column of query tables that divides the rows of a conformal question, ""
// if no column does: then the promise is for all rows, or for every class.
func (q Question) GroupColumn(s *tabular.Schema) string {
	if (Task{s.Labels}).everyClass(q.ConformalBy) {
		return ""
	}
	return q.ConformalBy
}

// CheckLabels scores rows with labels; level is the level of predictive intervals. It divides the
// context at random into [CheckFolds] folds, or as many as it has rows; a restored state has up to
// 1,024 rows of it. It fails with [ErrOneRow] and the errors of the network.
func (f *Fitted) CheckLabels(
	ctx context.Context, x pfn.Matrix, y []float64, level float64, seed uint64,
) (c heldout.LabelCheck, err error) {
	t, parts, err := f.crossed(seed)
	if err != nil {
		return c, err
	}
	return t.CheckLabels(ctx, f.context, parts, x, y, level)
}

// crossed divides the available context rows into [CheckFolds] folds, or as many as there are rows.
// It fails with [ErrOneRow] and the errors of the columns that divide the rows.
func (f *Fitted) crossed(seed uint64) (t heldout.Table, parts []folds.Fold, err error) {
	table := f.table
	if table.X.Rows == 0 {
		table = f.lending
	}
	n := table.X.Rows
	if n < 2 {
		return t, nil, ErrOneRow
	}
	t = f.heldOut(table, reading.Auto, seed)
	strata := make([]int, n)
	if f.context.Classes() > 0 {
		strata = classesOf(table.Y)
	}
	plan := folds.Plan{Count: min(CheckFolds, n), Seed: seed, Strata: strata}
	if f.table.X.Rows > 0 {
		plan = f.splits.Plan(plan).Fitting()
	}
	parts, err = plan.Folds()
	return t, parts, err
}

// Doubts returns how unsure the model is of the label of every row of an answer. For numbers it is
// the width of the predictive interval of the question's level, in the target's unit. For classes
// it is 1 minus the probability of the most probable one, in [0, 1].
func (p *Predictor) Doubts(a *Answer) []float64 {
	return p.fitted.Task().heldOut().Doubts(a.Predictions, p.question.Level)
}

// HeldDoubts returns the doubts of [Predictor.Doubts] at rows of the context, each by a model that
// has not read the row. Folds and errors are those of [Fitted.CheckLabels].
func (f *Fitted) HeldDoubts(ctx context.Context, level float64, seed uint64) ([]float64, error) {
	t, parts, err := f.crossed(seed)
	if err != nil {
		return nil, err
	}
	return t.Doubts(ctx, parts, level)
}
