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
	m, parts, err := f.crossed(seed)
	if err != nil {
		return c, err
	}
	n, count, table := m.table.X.Rows, f.context.Classes(), m.table
	whole := reader{context: f.context, classes: count, present: allClasses(count),
		donors: m.question.Missing.Donors(f.model.Bundle().Manifest, table, count, seed)}
	rows, err := m.task.predictions(ctx, whole, x)
	if err != nil {
		return c, err
	}
	c.Batch, c.BatchHit = m.task.judge(rows, y, level)
	c.Context, c.ContextHit = make([]float64, n), make([]bool, n)
	for k, part := range parts {
		if err == nil {
			err = c.fold(ctx, m, part, func(r reader) error {
				if k > 0 {
					return nil
				}
				rows, err := m.task.predictions(ctx, r, x)
				if err == nil {
					c.Apart, _ = m.task.judge(rows, y, level)
				}
				return err
			}, level)
		}
		if k == 0 {
			c.Calibration = pick(c.Context, part.Held)
		}
	}
	return c, err
}

// crossed divides the rows of the context that are kept into [CheckFolds] folds, or as few as there
// are rows. Errors are [ErrNoContext] and those of the columns that divide the rows.
func (f *Fitted) crossed(seed uint64) (m calibrating, parts []folds.Fold, err error) {
	table := f.table
	if table.X.Rows == 0 {
		table = f.lending
	}
	n := table.X.Rows
	if n < 2 {
		return m, nil, ErrNoContext
	}
	m = calibrating{model: f.model, table: table, task: f.Task(),
		question: Question{Seed: seed, Missing: reading.Auto}}
	strata := make([]int, n)
	if f.context.Classes() > 0 {
		for i, v := range table.Y {
			strata[i] = int(v)
		}
	}
	plan := folds.Plan{Count: min(CheckFolds, n), Seed: seed, Strata: strata}
	if f.table.X.Rows == 0 {
		parts, err = plan.Folds()
		return m, parts, err
	}
	parts, err = f.splits.Plan(plan).Fitting().Folds()
	return m, parts, err
}

// fold scores the rows of a fold by a model that has read the others, and lets others use that
// model.
func (c *LabelCheck) fold(
	ctx context.Context, m calibrating, part folds.Fold, use func(reader) error, level float64,
) error {
	return m.apart(ctx, part, func(r reader, rows []amp.Prediction) error {
		scores, hits := m.task.judge(rows, pick(m.table.Y, part.Held), level)
		for i, row := range part.Held {
			c.Context[row], c.ContextHit[row] = scores[i], hits[i]
		}
		return use(r)
	})
}

// apart predicts the rows of a fold by a model that has read the others.
func (m calibrating) apart(
	ctx context.Context, part folds.Fold, use func(reader, []amp.Prediction) error,
) error {
	r, err := m.read(ctx, m.table.Take(part.Read))
	if err != nil {
		return err
	}
	rows, err := m.task.predictions(ctx, r, m.table.Take(part.Held).X)
	if err == nil {
		err = use(r, rows)
	}
	return errors.Join(err, r.close())
}

// Doubts are how unsure the model is of the label of every row of an answer: of numbers the width
// of the predictive interval of the question's level, in the target's unit; of classes 1 minus the
// probability of the most probable one, in [0, 1].
func (p *Predictor) Doubts(a *Answer) []float64 {
	return p.fitted.Task().doubts(a.Predictions, p.question.Level)
}

// HeldDoubts are the doubts of [Predictor.Doubts] at rows of the context, each by a model that has
// not read the row; folds and errors are those of [Fitted.CheckLabels].
func (f *Fitted) HeldDoubts(ctx context.Context, level float64, seed uint64) ([]float64, error) {
	m, parts, err := f.crossed(seed)
	var all []float64
	for _, part := range parts {
		if err == nil {
			err = m.apart(ctx, part, func(_ reader, rows []amp.Prediction) error {
				all = append(all, m.task.doubts(f.support.Predictions(rows), level)...)
				return nil
			})
		}
	}
	return all, err
}

// allClasses numbers so many classes.
func allClasses(count int) []int {
	all := make([]int, count)
	for k := range all {
		all[k] = k
	}
	return all
}

// predictions reads rows with a model that may have read a part of the context.
func (numbers) predictions(
	ctx context.Context, r reader, x pfn.Matrix,
) ([]amp.Prediction, error) {
	return r.donors.Predictions(ctx, r.context, x, false)
}

// judge is the CRPS, and whether the number is inside its predictive interval.
func (numbers) judge(
	rows []amp.Prediction, y []float64, level float64,
) (scores []float64, hits []bool) {
	scores, hits = make([]float64, len(y)), make([]bool, len(y))
	for i, row := range rows {
		scores[i] = row.PPD.(interface{ CRPS(y float64) float64 }).CRPS(y[i])
		lo, hi := amp.PredictiveInterval(row.PPD, level)
		hits[i] = lo <= y[i] && y[i] <= hi
	}
	return scores, hits
}

// doubts are the widths of predictive intervals.
func (numbers) doubts(rows []amp.Prediction, level float64) []float64 {
	widths := make([]float64, len(rows))
	for i, row := range rows {
		lo, hi := amp.PredictiveInterval(row.PPD, level)
		widths[i] = hi - lo
	}
	return widths
}

// predictions reads rows with a model that may have read a part of the context.
func (classes) predictions(
	ctx context.Context, r reader, x pfn.Matrix,
) ([]amp.Prediction, error) {
	said, err := r.probabilities(ctx, x)
	rows := make([]amp.Prediction, len(said))
	for i, p := range said {
		rows[i].PPD = p
	}
	return rows, err
}

// judge is the log loss, and whether the class is the most probable one.
func (classes) judge(
	rows []amp.Prediction, y []float64, _ float64,
) (scores []float64, hits []bool) {
	scores, hits = make([]float64, len(y)), make([]bool, len(y))
	for i, row := range rows {
		p := row.PPD.(amp.Classes)
		scores[i] = mostSurprise
		if k := int(y[i]); k >= 0 {
			scores[i] = math.Min(mostSurprise, -math.Log(p[k]))
			hits[i] = slices.Index(p, slices.Max(p)) == k
		}
	}
	return scores, hits
}

// doubts are the probabilities of all classes but the most probable one.
func (classes) doubts(rows []amp.Prediction, _ float64) []float64 {
	rest := make([]float64, len(rows))
	for i, row := range rows {
		rest[i] = 1 - slices.Max(row.PPD.(amp.Classes))
	}
	return rest
}
