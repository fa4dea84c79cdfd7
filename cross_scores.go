package pfnamp

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/folds"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/reading"
)

// CheckFolds is the number of folds of [Fitted.CheckLabels].
const CheckFolds = 5

// mostSurprise bounds the log loss of a label, that of the probability 1e-15.
const mostSurprise = 34.5

// LabelCheck compares labels of a batch with predictions, beside labels of the context that a model
// has not read. A score is the CRPS of a number, and the log loss of a class, at most 34.5: larger
// is worse.
type LabelCheck struct {
	// Scores by row; of the context by a model that has not read the row.
	Batch, Context []float64
	// Hits are predictions that hold: the number is inside its predictive interval, or the class is
	// the most probable.
	BatchHit, ContextHit []bool
	// Calibration and Apart are scores of rows of the context and of the batch by one model that has
	// read neither. Where the batch is like the context, they are exchangeable.
	Calibration, Apart []float64
}

// ErrNoContext reports a state that keeps no rows of its context.
var ErrNoContext = errors.New("the state keeps no rows of its context: an earlier version has " +
	"saved it; fit again")

// CheckLabels scores rows with labels; level is that of predictive intervals. The context is
// divided at random into [CheckFolds] folds, or as few as it has rows; a restored state has up to
// 1,024 rows of it. Errors are [ErrNoContext] and those of the network.
func (f *Fitted) CheckLabels(
	ctx context.Context, x pfn.Matrix, y []float64, level float64, seed uint64,
) (c LabelCheck, err error) {
	table := f.table
	if table.X.Rows == 0 {
		table = f.lending
	}
	n := table.X.Rows
	if n < 2 {
		return c, ErrNoContext
	}
	q := Question{Seed: seed, Missing: reading.Auto}
	m := calibrating{model: f.model, table: table, question: q, task: f.Task()}
	count := f.context.Classes()
	whole := reader{context: f.context, classes: count, present: allClasses(count),
		donors: q.Missing.Donors(f.model.Bundle().Manifest, table, count, seed)}
	if c.Batch, c.BatchHit, err = m.task.judge(ctx, whole, x, y, level); err != nil {
		return c, err
	}
	strata := make([]int, n)
	if count > 0 {
		for i, v := range table.Y {
			strata[i] = int(v)
		}
	}
	c.Context, c.ContextHit = make([]float64, n), make([]bool, n)
	plan := folds.Plan{Count: min(CheckFolds, n), Seed: seed, Strata: strata}
	parts, err := f.splits.Plan(plan).Fitting().Folds()
	if f.table.X.Rows == 0 {
		parts, err = plan.Folds()
	}
	for k, part := range parts {
		if err == nil {
			err = c.fold(ctx, m, part, func(r reader) error {
				if k > 0 {
					return nil
				}
				var failed error
				c.Apart, _, failed = m.task.judge(ctx, r, x, y, level)
				return failed
			}, level)
		}
		if k == 0 {
			c.Calibration = pick(c.Context, part.Held)
		}
	}
	return c, err
}

// fold scores the rows of a fold by a model that has read the others, and lets others use that
// model.
func (c *LabelCheck) fold(
	ctx context.Context, m calibrating, part folds.Fold, use func(reader) error, level float64,
) error {
	r, err := m.read(ctx, m.table.Take(part.Read))
	if err != nil {
		return err
	}
	held := m.table.Take(part.Held)
	scores, hits, err := m.task.judge(ctx, r, held.X, held.Y, level)
	for i, row := range part.Held {
		if err == nil {
			c.Context[row], c.ContextHit[row] = scores[i], hits[i]
		}
	}
	if err == nil {
		err = use(r)
	}
	return errors.Join(err, r.close())
}

// allClasses numbers so many classes.
func allClasses(count int) []int {
	all := make([]int, count)
	for k := range all {
		all[k] = k
	}
	return all
}

// judge is the CRPS, and whether the number is inside its predictive interval.
func (numbers) judge(
	ctx context.Context, r reader, x pfn.Matrix, y []float64, level float64,
) (scores []float64, hits []bool, err error) {
	scores, hits = make([]float64, len(y)), make([]bool, len(y))
	rows, err := r.donors.Predictions(ctx, r.context, x, false)
	for i, row := range rows {
		scores[i] = row.PPD.(interface{ CRPS(y float64) float64 }).CRPS(y[i])
		lo, hi := amp.PredictiveInterval(row.PPD, level)
		hits[i] = lo <= y[i] && y[i] <= hi
	}
	return scores, hits, err
}

// judge is the log loss, and whether the class is the most probable one.
func (classes) judge(
	ctx context.Context, r reader, x pfn.Matrix, y []float64, _ float64,
) (scores []float64, hits []bool, err error) {
	scores, hits = make([]float64, len(y)), make([]bool, len(y))
	rows, err := r.probabilities(ctx, x)
	for i, p := range rows {
		scores[i] = mostSurprise
		if k := int(y[i]); k >= 0 {
			scores[i] = math.Min(mostSurprise, -math.Log(p[k]))
			hits[i] = slices.Index(p, slices.Max(p)) == k
		}
	}
	return scores, hits, err
}
