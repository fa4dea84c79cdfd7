package pfnamp

import (
	"context"
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/heldout"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/reading"
	"github.com/pfnamp/pfnamp/tabular"
	"github.com/pfnamp/pfnamp/warning"
)

// numbers is the [Task] of a target of numbers.
type numbers struct{}

// Name implements [Task].
func (numbers) Name() string { return models.RegressionTask }

// Classes implements [Task].
func (numbers) Classes() []string { return nil }

func (numbers) summary(y []float64) TargetSummary {
	s := TargetSummary{Rows: len(y), Lo: math.Inf(1), Hi: math.Inf(-1)}
	for _, v := range y {
		s.Lo, s.Hi = min(s.Lo, v), max(s.Hi, v)
	}
	return s
}

// settle takes the possible values from the options, or infers them from the targets. It warns of
// targets that look like codes of classes.
func (numbers) settle(t *Training, y []float64) error {
	if given := t.Options.Values; given != nil {
		t.Support = *given
		for _, v := range y {
			if !given.Has(v) {
				return &tabular.Error{File: t.Schema.File, Column: t.Schema.TargetName, Msg: fmt.Sprintf(
					"the target is %v in a row, which is not one of its possible values %v", v, given)}
			}
		}
	} else if t.Support = amp.SupportOf(y); !t.Support.Any() {
		t.Warnings = append(t.Warnings, warning.PossibleLabels{Support: t.Support})
	}
	if w, ok := warning.FewValuesOf(y); ok {
		t.Warnings = append(t.Warnings, w)
	}
	return t.noteAlone(false)
}

func (numbers) admit(*Training, models.Manifest) error { return nil }

func (numbers) complete(q Question) (Question, error) {
	if q.Functionals == nil {
		q.Functionals = []amp.Functional{amp.Mean{}}
	}
	return q, nil
}

func (numbers) chains() Posterior { return Paper }

func (numbers) names(functionals []amp.Functional) []string {
	names := make([]string, len(functionals))
	for i, f := range functionals {
		names[i] = f.String()
	}
	return names
}

func (numbers) checkLabel(Question) error { return nil }

func (numbers) everyClass(string) bool { return false }

func (numbers) predict(ctx context.Context, p *Predictor, a *Answer) (err error) {
	a.Predictions, err = p.donors.Predictions(ctx, p.fitted.context, a.x, p.question.own())
	return err
}

// predictive sets the interval of a label: the central one of its distribution, or a conformal one.
func (numbers) predictive(
	ctx context.Context, p *Predictor, a *Answer, said []amp.Prediction, groups []int,
) (err error) {
	if p.conformal == nil {
		a.Predictive = reading.CentralIntervals(a.Predictions, p.question.Level)
		return nil
	}
	a.Predictive, err = p.conformal.Intervals(ctx, a.x, groups)
	reading.Reach(a.Predictive, said, a.fallen, p.question.Level)
	for i, in := range a.Predictive {
		a.Predictive[i].Lo, a.Predictive[i].Hi = p.fitted.support.Interval(in.Lo, in.Hi)
	}
	return err
}

func (numbers) before(Layout) []column { return nil }

// after returns the columns of the predictive interval.
func (numbers) after(Layout) []column {
	return []column{
		numberColumn("pi_lo", func(a *Answer, row int) float64 { return a.Predictive[row].Lo }),
		numberColumn("pi_hi", func(a *Answer, row int) float64 { return a.Predictive[row].Hi }),
	}
}

func (numbers) cell() arrow.DataType { return arrow.PrimitiveTypes.Float64 }

func (numbers) cells(n int, label func(i int) float64) (arrow.Array, error) {
	return floatArray(n, label), nil
}

// numberColumn returns a column with one number a row.
func numberColumn(name string, value func(a *Answer, row int) float64) column {
	return column{name, arrow.PrimitiveTypes.Float64, func(a *Answer) (arrow.Array, error) {
		return floatArray(a.Rows(), func(row int) float64 { return value(a, row) }), nil
	}}
}

func (numbers) heldOut() heldout.Target { return heldout.Numbers{} }
