package pfnamp

import (
	"fmt"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/tabular"
)

// nameClasses compares the labels of the target with the model, and numbers those of the context
// anew: labels of no drawn row are dropped.
func (t *Training) nameClasses(m models.Manifest) error {
	labels := t.Schema.Labels
	if labels == nil {
		return nil
	}
	classes := make([]int, len(t.Data.Y))
	for i, y := range t.Data.Y {
		classes[i] = int(y)
	}
	schema := *t.Schema
	schema.Labels, t.Schema = labels.Subset(classes), &schema
	if err := t.checkClassCount(m); err != nil {
		return err
	}
	position := map[string]int{}
	for k, text := range schema.Labels.Texts {
		position[text] = k
	}
	for i, k := range classes {
		t.Data.Y[i] = float64(position[labels.Texts[k]])
	}
	if single := singleRows(schema.Labels.Texts, t.Data.Y); single != nil {
		t.Warnings = append(t.Warnings, SingleRows{single})
	}
	if dropped := len(labels.Texts) - len(position); dropped > 0 {
		t.Warnings = append(t.Warnings, DroppedLabels{dropped, t.Schema.File})
	}
	return nil
}

// singleRows lists the labels that one row has.
func singleRows(labels []string, y []float64) (single []string) {
	rows := make([]int, len(labels))
	for _, k := range y {
		rows[int(k)]++
	}
	for k, n := range rows {
		if n == 1 {
			single = append(single, labels[k])
		}
	}
	return single
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
		e.Hint = "there is nothing to tell apart: give rows of at least 2 classes"
		return e
	case n > m.MostClasses():
		e.Msg = fmt.Sprintf("%d classes: model %s %s tells at most %d apart", n, m.Name, m.Version,
			m.MostClasses())
		e.Hint = "merge rare classes"
		if 2*n > len(t.Data.Y) {
			e.Hint += "; most rows have a label of their own, as a name or an identifier has"
		}
		if labels.Kind == tabular.Numeric {
			e.Hint += ", or predict numbers with a model for regression, such as the embedded one"
		}
		if m.ExportAgain() {
			e.Hint += "; " + models.AgainHint
		}
		e.Limit = true
		return e
	}
	return nil
}
