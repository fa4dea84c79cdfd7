package pfnamp

import (
	"slices"

	"github.com/pfnamp/pfnamp/conformal"
	"github.com/pfnamp/pfnamp/folds"
)

// timeFirst is the share of the rows that every model of a conformal prediction in the order of
// time reads.
const timeFirst = 0.5

// plan divides the context of a conformal prediction: by the columns of the fit, or at random
// within the groups of the promise.
func (f *Fitted) plan(q Question, groups grouping) folds.Plan {
	return f.splits.Plan(folds.Plan{Count: min(DefaultFolds, max(2, f.table.X.Rows)), Seed: q.Seed,
		Strata: groups.of, First: timeFirst}).Fitting()
}

// parts are the folds, with the fold of every row, -1 of rows that are never predicted. Errors are
// a *SmallTableError or a *SmallGroupsError where too few rows are predicted, and those of the
// plan.
func (m calibrating) parts() (parts []folds.Fold, foldOf []int, err error) {
	n, level := m.table.X.Rows, m.question.Level
	small := &SmallTableError{Rows: n, Least: conformal.LeastRows(level), Level: level,
		Sets: m.task.Classes() != nil}
	if n < small.Least {
		return nil, nil, small
	}
	if parts, err = m.plan.Folds(); err != nil {
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
	return parts, foldOf, m.groups.check(level, foldOf)
}
