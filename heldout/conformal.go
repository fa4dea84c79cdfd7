package heldout

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/drift"
	"github.com/pfnamp/pfnamp/folds"
	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/reading"
)

// Conformal makes predictive intervals of a number, or sets of classes, with a guarantee: K-fold
// cross-conformal prediction (CV+). It divides the n rows of the context at random into K folds,
// and the model reads the context without each of them. The rows of every fold are scored by the
// model that has not read them, and Conformal combines the folds at a query row.
//
// If the rows of the context and the query rows are exchangeable, the interval or set holds a new
// label with probability at least [Conformal.Guarantee], whatever the distribution and however
// wrong the model; a coverage close to the level is usual. The probability is over the draw of the
// context and the row, not at every x. It does not apply to the conditional mean.
//
// A Conformal is safe for concurrent use.
type Conformal struct {
	promise Promise
	groups  []*calibration // by group
	whole   *calibration   // over all rows, for query rows of other groups, and with weights
	readers []Reader       // by fold
}

// SmallTableError reports too few rows for a conformal interval or set of a level.
type SmallTableError struct {
	Rows, Least int
	Level       float64
	Sets        bool // of classes
}

// Error names the smallest number of rows.
func (e *SmallTableError) Error() string {
	what := "interval"
	if e.Sets {
		what = "set"
	}
	return fmt.Sprintf("a conformal %s of level %g needs at least %d rows of context; there are %d",
		what, e.Level, e.Least, e.Rows)
}

// Promise describes what conformal predictions must guarantee.
type Promise struct {
	Level  float64
	Groups Groups         // groups within which the promise holds
	Plan   folds.Plan     // of the context
	Shift  *drift.Weights // of the rows, nil if all count equally
}

// Conformal reads the context without each fold and scores the rows of that fold. It fails with a
// *SmallTableError, a *SmallGroupsError or a *ShiftError, and with errors of the model.
func (t Table) Conformal(ctx context.Context, p Promise) (c *Conformal, err error) {
	n, level := t.Rows.X.Rows, p.Level
	parts, foldOf, err := t.parts(p)
	if err != nil {
		return nil, err
	}
	scores := make([]float64, n)
	c = &Conformal{promise: p}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Close())
		}
	}()
	for _, part := range parts {
		r, err := t.Read(ctx, t.Rows.Take(part.Read))
		if err != nil {
			return c, err
		}
		c.readers = append(c.readers, r)
		of, err := r.Scores(ctx, t.Rows.Take(part.Held), level)
		if err != nil {
			return c, err
		}
		for i, row := range part.Held {
			scores[row] = of[i]
		}
	}
	for _, listed := range folds.ByGroup(p.Groups.Of) {
		c.groups = append(c.groups, newCalibration(level, len(parts), listed, foldOf, scores, nil))
	}
	weights, err := p.weights(n)
	c.whole = newCalibration(level, len(parts), matrix.Upto(n), foldOf, scores, weights)
	return c, err
}

// Guarantee returns the least probability with which an interval or a set holds a new label, in
// every group; see Guarantee. It is 0 if the folds are whole groups or follow time, or if
// rows are weighted, because the proof needs exchangeable rows.
func (c *Conformal) Guarantee() float64 {
	if c.promise.Plan.Groups != nil || c.promise.Plan.Times != nil || c.promise.Shift != nil {
		return 0
	}
	least := 1.0
	for _, group := range c.groups {
		least = min(least, group.guarantee())
	}
	return least
}

// Groups returns the number of groups of the promise, 1 if it is for all rows together.
func (c *Conformal) Groups() int { return len(c.groups) }

// of returns the scores that a query row of a group is compared with.
func (c *Conformal) of(group int) *calibration {
	if group == NoGroup || c.promise.Shift != nil {
		return c.whole
	}
	return c.groups[group]
}

// Folds returns K.
func (c *Conformal) Folds() int { return len(c.readers) }

// Intervals returns the interval of every query row of some groups.
func (c *Conformal) Intervals(
	ctx context.Context, x pfn.Matrix, groups []int,
) ([]distr.Interval, error) {
	central := make([][]distr.Interval, len(c.readers)) // by fold and row
	for k, r := range c.readers {
		rows, err := r.donors.Predictions(ctx, r.context, x, false)
		if err != nil {
			return nil, err
		}
		central[k] = reading.CentralIntervals(rows, c.promise.Level)
	}
	intervals := make([]distr.Interval, x.Rows)
	row, weights := make([]distr.Interval, len(central)), c.weights(x)
	for i := range intervals {
		for k := range central {
			row[k] = central[k][i]
		}
		intervals[i] = c.of(groups[i]).interval(row, weights[i])
	}
	return intervals, nil
}

// Sets returns the classes in the set of every query row of some groups, in ascending order. best
// holds the most probable classes, which are always in the sets.
func (c *Conformal) Sets(
	ctx context.Context, x pfn.Matrix, best, groups []int,
) ([][]int, error) {
	said := make([][]amp.Prediction, len(c.readers)) // by fold and row
	for k, r := range c.readers {
		var err error
		if said[k], err = r.probabilities(ctx, x, false); err != nil {
			return nil, err
		}
	}
	sets, scores := make([][]int, x.Rows), make([]float64, len(said))
	weights := c.weights(x)
	for i := range sets {
		for class := range said[0][i].PPD.(distr.Classes) {
			for k := range said {
				scores[k] = strangeness(said[k][i].PPD.(distr.Classes), class)
			}
			group := groups[i]
			if c.promise.Groups.ByClass {
				group = class
			}
			if class == best[i] || c.of(group).usual(scores, weights[i]) {
				sets[i] = append(sets[i], class)
			}
		}
	}
	return sets, nil
}

// Close frees the contexts.
func (c *Conformal) Close() error {
	var errs []error
	for _, r := range c.readers {
		errs = append(errs, r.Close())
	}
	return errors.Join(errs...)
}

// parts returns the folds, and the fold of every row, -1 for rows that are never predicted. It
// fails with a *SmallTableError or a *SmallGroupsError if too few rows are predicted, and with
// errors of the plan.
func (t Table) parts(p Promise) (parts []folds.Fold, foldOf []int, err error) {
	n, level := t.Rows.X.Rows, p.Level
	small := &SmallTableError{Rows: n, Least: leastRows(level), Level: level,
		Sets: t.Target.classes() > 0}
	if n < small.Least {
		return nil, nil, small
	}
	if parts, err = p.Plan.Folds(); err != nil {
		return nil, nil, err
	}
	foldOf, small.Rows = slices.Repeat([]int{-1}, n), 0
	for k, part := range parts {
		small.Rows += len(part.Held)
		for _, row := range part.Held {
			foldOf[row] = k
		}
	}
	if small.Rows < small.Least {
		return nil, nil, small
	}
	return parts, foldOf, p.Groups.check(level, foldOf)
}

// Group returns the group of a query row by its name, or [NoGroup] if the context has no such
// group.
func (c *Conformal) Group(name string) int { return c.promise.Groups.Find(name) }
