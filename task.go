package pfnamp

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/heldout"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/reading"
	"github.com/pfnamp/pfnamp/tabular"
	"github.com/pfnamp/pfnamp/warning"
)

// Task is the kind of a target, numbers or labels, with most of what differs between the two.
type Task struct{ labels *tabular.Labels } // nil for numbers

// TaskOf returns the task of a training table's target: models.ClassificationTask if it holds texts
// or true and false, or if FitOptions.Categorical names it, otherwise models.RegressionTask (see
// tabular.TargetKind). It fails with a *tabular.Error about the options.
func TaskOf(table *tabular.Table, opt FitOptions) (string, error) {
	kind, err := tabular.TargetKind(table, opt.schema(true))
	if err == nil && (kind == tabular.Categorical || kind == tabular.Boolean) {
		return models.ClassificationTask, nil
	}
	return models.RegressionTask, err
}

// Name returns models.RegressionTask or models.ClassificationTask.
func (t Task) Name() string {
	if t.labels == nil {
		return models.RegressionTask
	}
	return models.ClassificationTask
}

// Classes lists the labels in the order of their probabilities, nil for numbers.
func (t Task) Classes() []string {
	if t.labels == nil {
		return nil
	}
	return t.labels.Texts
}

// summary describes the targets of a table.
func (t Task) summary(y []float64) TargetSummary {
	s := TargetSummary{Rows: len(y), Lo: math.Inf(1), Hi: math.Inf(-1), Labels: t.labels}
	if t.labels != nil {
		s.Counts = make([]int, len(t.labels.Texts))
	}
	for _, v := range y {
		s.Lo, s.Hi = min(s.Lo, v), max(s.Hi, v)
		if t.labels != nil {
			s.Counts[int(v)]++
		}
	}
	return s
}

// settle infers, from the labelled rows of a whole table, what holds for all predictions: of
// numbers the possible values, unless the options have them. It warns of targets that look like
// codes of classes.
func (t *Training) settle(y []float64) error {
	given, wrong := t.Options.Values, &tabular.Error{File: t.Schema.File, Column: t.Schema.TargetName}
	switch {
	case t.Schema.Labels != nil && given != nil:
		wrong.Msg = "possible values are for numbers, and the target holds labels"
	case t.Schema.Labels != nil:
		return t.noteAlone(true)
	case given != nil:
		t.Support = *given
		for _, v := range y {
			if wrong.Msg == "" && !given.Has(v) {
				wrong.Msg = fmt.Sprintf("the target is %v in a row, which is not one of its possible values %v",
					v, given)
			}
		}
	default:
		if t.Support = amp.SupportOf(y); !t.Support.Any() {
			t.Warnings = append(t.Warnings, warning.PossibleLabelsOf(t.Support))
		}
	}
	if wrong.Msg != "" {
		return wrong
	}
	if w, ok := warning.FewValuesOf(y); ok {
		t.Warnings = append(t.Warnings, w)
	}
	return t.noteAlone(false)
}

// admit compares the labels of the target with the model, and renumbers those of the context: it
// drops labels without a drawn row.
func (t *Training) admit(m models.Manifest) error {
	labels := t.Schema.Labels
	if labels == nil {
		return nil
	}
	of := classesOf(t.Data.Y)
	kept := labels.Subset(of)
	schema := *t.Schema
	schema.Labels, t.Schema = kept, &schema
	if err := t.checkClassCount(m); err != nil {
		return err
	}
	present := slices.Compact(slices.Sorted(slices.Values(of)))
	for i, k := range of {
		position, _ := slices.BinarySearch(present, k)
		t.Data.Y[i] = float64(position)
	}
	if single, found := warning.SingleRowsOf(kept.Texts, t.Data.Y); found {
		t.Warnings = append(t.Warnings, single)
	}
	if dropped := len(labels.Texts) - len(present); dropped > 0 {
		t.Warnings = append(t.Warnings, warning.DroppedLabelsOf(t.Schema.File, dropped))
	}
	return nil
}

// classesOf returns targets as numbers of classes.
func classesOf(y []float64) []int {
	classes := make([]int, len(y))
	for i, v := range y {
		classes[i] = int(v)
	}
	return classes
}

// checkClassCount refuses too few and too many classes.
func (t *Training) checkClassCount(m models.Manifest) error {
	labels := t.Schema.Labels
	e := &tabular.Error{File: t.Schema.File, Column: t.Schema.TargetName}
	switch n := len(labels.Texts); {
	case n < 2:
		e.Msg = fmt.Sprintf("every row has the label %q", labels.Texts[0])
		if len(t.Target.Counts) > 1 {
			e.Msg = fmt.Sprintf("every drawn row has the label %q", labels.Texts[0])
		}
		e.Hint = "add rows of another class: a classifier needs at least 2"
		return e
	case n > m.MostClasses():
		e.Msg = fmt.Sprintf("too many classes: %d, and model %s %s predicts at most %d", n, m.Name,
			m.Version, m.MostClasses())
		e.Hint = "merge rare classes"
		if 2*n > len(t.Data.Y) {
			e.Hint += "; most rows have a label of their own, so the target may be a name or an identifier"
		}
		if labels.Kind == tabular.Numeric {
			e.Hint += ", or predict numbers with a model for regression"
		}
		e.Limit = true
		return e
	}
	return nil
}

// complete fills in the functionals of a question, and the task's other defaults: for classes it
// asks for the probability of every one.
func (t Task) complete(q Question) (Question, error) {
	if t.labels == nil {
		if q.Functionals == nil {
			q.Functionals = []amp.Functional{amp.Mean{}}
		}
		return q, nil
	}
	var every []amp.Functional
	for k := range t.labels.Texts {
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

// names returns the names of the estimates.
func (t Task) names(functionals []amp.Functional) []string {
	names := make([]string, len(functionals))
	for i, f := range functionals {
		if names[i] = f.String(); t.labels != nil {
			names[i] = "p=" + t.labels.Texts[i]
		}
	}
	return names
}

// everyClass reports whether a promise holds for every class.
func (t Task) everyClass(by string) bool { return t.labels != nil && by == heldout.ByClass }

// best returns the most probable classes of rows, nil for numbers.
func (t Task) best(said []amp.Prediction) (classes []int) {
	for i := 0; t.labels != nil && i < len(said); i++ {
		classes = append(classes, said[i].PPD.(distr.Classes).Best())
	}
	return classes
}

// predictive adds the intervals of a label, the central one of its distribution or a conformal one,
// or the conformal sets of classes, from the network's predictions.
func (t Task) predictive(
	ctx context.Context, p *Predictor, a *Answer, said []amp.Prediction, groups []int,
) (err error) {
	switch {
	case t.labels != nil && p.conformal == nil:
		return nil
	case t.labels != nil:
		a.Sets, err = p.conformal.Sets(ctx, a.x, a.Best, groups)
		return err
	case p.conformal == nil:
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

// heldOut returns the target for predictions of context rows by models that have not read them.
func (t Task) heldOut() heldout.Target {
	if t.labels == nil {
		return heldout.Numbers{}
	}
	return heldout.Labels(len(t.labels.Texts))
}

// before returns the columns before those of the estimates: the most probable class.
func (t Task) before() []column {
	if t.labels == nil {
		return nil
	}
	return []column{{classColumn, labelType(t.labels), func(a *Answer) (arrow.Array, error) {
		return labelArray(t.labels, a.Best)
	}}}
}

// after returns the columns after those of the estimates: the predictive interval, or the conformal
// set and its size.
func (t Task) after(conformal bool) []column {
	switch {
	case t.labels == nil:
		return []column{
			numberColumn("pi_lo", func(a *Answer, row int) float64 { return a.Predictive[row].Lo }),
			numberColumn("pi_hi", func(a *Answer, row int) float64 { return a.Predictive[row].Hi }),
		}
	case !conformal:
		return nil
	}
	return []column{{"set", arrow.BinaryTypes.String, func(a *Answer) (arrow.Array, error) {
		return setArray(t.labels, a.Sets), nil
	}}, {"set_size", arrow.PrimitiveTypes.Int64, func(a *Answer) (arrow.Array, error) {
		return sizeArray(a.Sets), nil
	}}}
}
