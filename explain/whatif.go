package explain

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/joint"
	"github.com/pfnamp/pfnamp/pfn"
)

// WhatIf compares the answers for query rows with the answers for the same rows with changed cells.
// Rows come batch by batch; WhatIf keeps sums and no rows. It is not safe for concurrent use.
type WhatIf struct {
	// Outside counts, by expression, the rows whose changed cell is outside the training range.
	Outside []int

	expressions []Expression
	predictor   *pfnamp.Predictor
	coupling    *joint.Coupling
	averages    [3]*joint.Averages // as they are, as they would be, the difference
}

// NewWhatIf couples rows with changed rows. length is the length of joint.Couple; the error is that
// of joint.Couple.
func NewWhatIf(p *pfnamp.Predictor, length float64, expressions []Expression) (*WhatIf, error) {
	coupling, err := joint.Couple(p, length)
	w := &WhatIf{expressions: expressions, predictor: p, coupling: coupling,
		Outside: make([]int, len(expressions))}
	for k := range w.averages {
		w.averages[k] = joint.NewAverages("", nil)
	}
	return w, err
}

// Add computes the answers for the changed rows of an answer and sets its Changes. Errors are
// errors of pfnamp.Predictor.Answers.
func (w *WhatIf) Add(ctx context.Context, a *pfnamp.Answer) error {
	answers, err := w.predictor.Answers(ctx, w.predictor.Encoded(w.changed(a)))
	if err != nil {
		return err
	}
	would := answers[0]
	if err := w.coupling.Correct(ctx); err != nil {
		return err
	}
	q := w.predictor.Question()
	a.Changes = make([][]pfnamp.Change, len(q.Functionals))
	for first := 0; first < a.Rows(); first += coupledAtOnce {
		last := min(a.Rows(), first+coupledAtOnce)
		before, err := w.coupling.Rows(ctx, a, first, last)
		if err != nil {
			return err
		}
		after, err := w.coupling.Rows(ctx, would, first, last)
		if err != nil {
			return err
		}
		for i := range before {
			gap := differences(before[i], after[i])
			for k, row := range []joint.Row{before[i], after[i], gap} {
				if err := w.averages[k].Add("", row); err != nil {
					return err
				}
			}
			for f := range q.Functionals {
				e := interval(gap.Points[f], gap.Draws[f], q.Level, q.Interval)
				a.Changes[f] = append(a.Changes[f], pfnamp.Change{
					Changed:    would.Posteriors[0].Estimates[f][first+i],
					Difference: amp.Estimate{Point: e.Point, Lo: e.Lo, Hi: e.Hi}, Above: above(gap.Draws[f])})
			}
		}
	}
	return nil
}

// coupledAtOnce bounds the draws in memory.
const coupledAtOnce = 64

// changed are the encoded rows of an answer with other cells.
func (w *WhatIf) changed(a *pfnamp.Answer) pfn.Matrix {
	schema := w.predictor.Fitted().Schema()
	x := pfn.Matrix{Rows: a.Rows(), Cols: schema.Width()}
	for i := range x.Rows {
		x.Data = append(x.Data, a.Features(i)...)
		row := x.Row(i)
		for k, e := range w.expressions {
			if e.apply(row); e.outside(row) {
				w.Outside[k]++
			}
		}
	}
	schema.SetCalendars(x)
	return x
}

// differences are the points and draws of a row after a change minus those before it.
func differences(before, after joint.Row) joint.Row {
	d := joint.Row{}
	for f := range before.Points {
		d.Points = append(d.Points, after.Points[f]-before.Points[f])
		d.Draws = append(d.Draws, floats.SubTo(make([]float64, len(before.Draws[f])), after.Draws[f],
			before.Draws[f]))
		d.Together = append(d.Together, floats.SubTo(make([]float64, len(before.Draws[f])),
			after.Together[f], before.Together[f]))
	}
	return d
}

// Effects returns the averages over all rows as they are and as changed, and their difference; nil
// without rows.
func (w *WhatIf) Effects() (all []joint.Effect, err error) {
	for k, name := range []string{"as they are", "changed", "changed - as they are"} {
		effects, err := w.averages[k].Effects()
		if err != nil || len(effects) == 0 {
			return nil, err
		}
		e := effects[0]
		if e.Name, e.Contrast = name, k == 2; e.Contrast {
			e.Rows = 0
		}
		all = append(all, e)
	}
	return all, nil
}
