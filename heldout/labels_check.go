package heldout

import (
	"context"
	"errors"
	"slices"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/folds"
	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/pfn"
)

// LabelCheck compares labels of a batch with predictions, and with labels of the context that a
// model has not read. A score is the CRPS of a number, or the log loss of a class, at most 34.5.
// Lower is better.
type LabelCheck struct {
	// Scores by row. A row of the context is scored by a model that has not read it.
	Batch, Context []float64
	// Hits report that a prediction holds: the number is inside its predictive interval, or the
	// class is the most probable.
	BatchHit, ContextHit []bool
	// Calibration and Apart are scores of rows of the context and of the batch by one model that
	// has read neither. If the batch is like the context, they are exchangeable.
	Calibration, Apart []float64
}

// CheckLabels scores rows with labels, by a model that has read the whole context and by models
// that have read all but one fold. level is the level of predictive intervals. Errors are those of
// the network.
func (t Table) CheckLabels(
	ctx context.Context, whole *pfn.Context, parts []folds.Fold, x pfn.Matrix, y []float64,
	level float64,
) (c LabelCheck, err error) {
	n, count := t.Rows.X.Rows, t.Target.classes()
	all := Reader{target: t.Target, context: whole, classes: count, present: matrix.Upto(count),
		donors: t.Missing.Donors(t.Model.Bundle().Manifest, t.Rows, count, t.Seed)}
	rows, err := t.Predictions(ctx, all, x, false)
	if err != nil {
		return c, err
	}
	c.Batch, c.BatchHit = t.Target.judge(rows, y, level)
	c.Context, c.ContextHit = make([]float64, n), make([]bool, n)
	var held []int // in time order, the first rows are only read
	for k, part := range parts {
		err := t.apart(ctx, part, func(r Reader, rows []amp.Prediction) error {
			scores, hits := t.Target.judge(rows, folds.Pick(t.Rows.Y, part.Held), level)
			for i, row := range part.Held {
				c.Context[row], c.ContextHit[row] = scores[i], hits[i]
			}
			held = append(held, part.Held...)
			if k < len(parts)-1 { // in time order, the last fold is the one nearest to the batch
				return nil
			}
			rows, err := t.Predictions(ctx, r, x, false)
			if err == nil {
				c.Calibration = scores
				c.Apart, _ = t.Target.judge(rows, y, level)
			}
			return err
		})
		if err != nil {
			return c, err
		}
	}
	slices.Sort(held)
	c.Context, c.ContextHit = folds.Pick(c.Context, held), folds.Pick(c.ContextHit, held)
	return c, nil
}

// apart predicts the rows of a fold with a model that has read the others.
func (t Table) apart(
	ctx context.Context, part folds.Fold, use func(Reader, []amp.Prediction) error,
) error {
	r, err := t.Read(ctx, t.Rows.Take(part.Read))
	if err != nil {
		return err
	}
	rows, err := t.Predictions(ctx, r, t.Rows.Take(part.Held).X, false)
	if err == nil {
		err = use(r, rows)
	}
	return errors.Join(err, r.Close())
}

// Doubts returns how unsure the model is of the labels of context rows that it has not read, fold
// by fold; see [Target].
func (t Table) Doubts(
	ctx context.Context, parts []folds.Fold, level float64,
) (all []float64, err error) {
	for _, part := range parts {
		err = t.apart(ctx, part, func(_ Reader, rows []amp.Prediction) error {
			all = append(all, t.Target.Doubts(rows, level)...)
			return nil
		})
		if err != nil {
			return all, err
		}
	}
	return all, nil
}
