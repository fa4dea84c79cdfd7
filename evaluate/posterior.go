package evaluate

import (
	"context"

	"github.com/pfnamp/pfnamp/amp"
)

// Posterior makes intervals with a method of package amp. It has no answer for a functional that
// the method cannot answer at every row.
type Posterior struct{ amp.Method }

// Intervals implements [Method]: equal tails, at the level of the task. Errors are those of
// [amp.Method].
func (p Posterior) Intervals(
	ctx context.Context, t *Task, functionals []amp.Functional,
) ([][]Interval, error) {
	rows := make([]amp.Prediction, len(t.Prediction.PPDs))
	for i := range rows {
		rows[i] = t.Prediction.Row(i)
	}
	all := make([][]Interval, len(functionals))
	for i, f := range functionals {
		if !p.answers(rows, f) {
			continue
		}
		var err error
		if all[i], err = p.intervals(ctx, t, rows, f); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// answers tells whether the method has a posterior of f at every row.
func (p Posterior) answers(rows []amp.Prediction, f amp.Functional) bool {
	for _, row := range rows {
		if !p.Answers(row, f) {
			return false
		}
	}
	return true
}

func (p Posterior) intervals(
	ctx context.Context, t *Task, rows []amp.Prediction, f amp.Functional,
) ([]Interval, error) {
	shape := amp.Shape{Rows: t.Train.Rows, Features: max(1, t.Train.Varying())}
	summary, err := p.Prepare(ctx, shape, amp.Spec{Functional: f, Level: t.Level})
	if err != nil {
		return nil, err
	}
	estimates := make([]amp.Estimate, len(rows))
	if err := amp.Estimates(ctx, summary, estimates, rows, 1); err != nil {
		return nil, err
	}
	intervals := make([]Interval, len(rows))
	for i, e := range estimates {
		intervals[i] = Interval{e.Lo, e.Hi}
	}
	return intervals, nil
}
