package pfnamp

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/heldout"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/tabular"
	"github.com/pfnamp/pfnamp/warning"
)

// classes is the [Task] of a target of labels.
type classes struct{ labels *tabular.Labels }

// Name implements [Task].
func (classes) Name() string { return models.ClassificationTask }

// Classes implements [Task].
func (c classes) Classes() []string { return c.labels.Texts }

func (c classes) summary(y []float64) TargetSummary {
	s := TargetSummary{Rows: len(y), Lo: math.Inf(1), Hi: math.Inf(-1), Labels: c.labels,
		Counts: make([]int, len(c.labels.Texts))}
	for _, v := range y {
		s.Lo, s.Hi = min(s.Lo, v), max(s.Hi, v)
		s.Counts[int(v)]++
	}
	return s
}

func (c classes) settle(t *Training, _ []float64) error {
	if err := t.noteAlone(true); err != nil || t.Options.Values == nil {
		return err
	}
	return &tabular.Error{File: t.Schema.File, Column: t.Schema.TargetName,
		Msg: "possible values are for numbers, and the target holds labels"}
}

// admit compares the labels of the target with the model, and renumbers those of the context: it
// drops labels without a drawn row.
func (c classes) admit(t *Training, m models.Manifest) error {
	of := make([]int, len(t.Data.Y))
	for i, y := range t.Data.Y {
		of[i] = int(y)
	}
	kept := c.labels.Subset(of)
	schema := *t.Schema
	schema.Labels, t.Schema = kept, &schema
	if err := t.checkClassCount(m); err != nil {
		return err
	}
	position := map[string]int{}
	for k, text := range kept.Texts {
		position[text] = k
	}
	for i, k := range of {
		t.Data.Y[i] = float64(position[c.labels.Texts[k]])
	}
	if single, found := warning.SingleRowsOf(kept.Texts, t.Data.Y); found {
		t.Warnings = append(t.Warnings, single)
	}
	if dropped := len(c.labels.Texts) - len(position); dropped > 0 {
		t.Warnings = append(t.Warnings, warning.DroppedLabels{Count: dropped, File: t.Schema.File})
	}
	return nil
}

// complete asks for the probability of every class.
func (c classes) complete(q Question) (Question, error) {
	var every []amp.Functional
	for k := range c.labels.Texts {
		every = append(every, amp.Class(k))
	}
	if q.Functionals != nil && !slices.Equal(q.Functionals, every) {
		return q, ErrFunctionals
	}
	q.Functionals = every
	if q.Rho == 0 {
		q.Rho = 1
	}
	return q, nil
}

func (classes) chains() Posterior { return Limit }

func (c classes) names([]amp.Functional) []string {
	names := make([]string, len(c.labels.Texts))
	for k, label := range c.labels.Texts {
		names[k] = "p=" + label
	}
	return names
}

func (classes) checkLabel(q Question) error {
	if q.Label == nil {
		return nil
	}
	return optionError("Label", "a classifier's columns p=... are already the distribution of the "+
		"label: drop Label, or "+
		"draw labels with Samples")
}

func (classes) everyClass(by string) bool { return by == heldout.ByClass }

func (classes) predict(ctx context.Context, p *Predictor, a *Answer) (err error) {
	a.Predictions, a.Best, err = p.donors.ClassPredictions(ctx, p.fitted.context, a.x,
		p.question.own())
	return err
}

// predictive sets the conformal sets of labels, if requested.
func (classes) predictive(
	ctx context.Context, p *Predictor, a *Answer, _ []amp.Prediction, groups []int,
) (err error) {
	if p.conformal != nil {
		a.Sets, err = p.conformal.Sets(ctx, a.x, a.Best, groups)
	}
	return err
}

// before returns the column of the most probable class.
func (c classes) before(Layout) []column {
	return []column{{classColumn, labelType(c.labels), func(a *Answer) (arrow.Array, error) {
		return labelArray(c.labels, a.Best)
	}}}
}

// after returns the columns of the set and its size.
func (c classes) after(l Layout) []column {
	if !l.Conformal {
		return nil
	}
	return []column{
		{"set", arrow.BinaryTypes.String, func(a *Answer) (arrow.Array, error) {
			return setArray(c.labels, a.Sets), nil
		}},
		{"set_size", arrow.PrimitiveTypes.Int64, func(a *Answer) (arrow.Array, error) {
			return sizeArray(a.Sets), nil
		}},
	}
}

func (c classes) cell() arrow.DataType { return labelType(c.labels) }

func (c classes) cells(n int, label func(i int) float64) (arrow.Array, error) {
	of := make([]int, n)
	for i := range of {
		of[i] = int(label(i))
	}
	return labelArray(c.labels, of)
}

// checkClassCount refuses too few and too many classes.
func (t *Training) checkClassCount(m models.Manifest) error {
	labels := t.Schema.Labels
	e := &tabular.Error{File: t.Schema.File, Column: t.Schema.TargetName}
	switch n := len(labels.Texts); {
	case n < 2:
		e.Msg = fmt.Sprintf("every row has the label %q", labels.Texts[0])
		if len(t.Data.Y) < t.Target.Rows {
			e.Msg = fmt.Sprintf("every drawn row has the label %q", labels.Texts[0])
		}
		e.Hint = "add rows of another class: a classifier needs at least 2"
		return e
	case n > m.MostClasses():
		e.Msg = fmt.Sprintf("too many classes: %d, and model %s %s predicts at most %d", n, m.Name,
			m.Version,
			m.MostClasses())
		e.Hint = "merge rare classes"
		if 2*n > len(t.Data.Y) {
			e.Hint += "; most rows have a label of their own, so the target may be a name or an identifier"
		}
		if labels.Kind == tabular.Numeric {
			e.Hint += ", or predict numbers with a model for regression"
		}
		if m.ExportAgain() {
			e.Hint += "; " + models.AgainHint
		}
		e.Limit = true
		return e
	}
	return nil
}

func (c classes) heldOut() heldout.Target { return heldout.Labels(len(c.labels.Texts)) }
