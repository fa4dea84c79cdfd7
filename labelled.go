package pfnamp

import (
	"fmt"

	"github.com/pfnamp/pfnamp/tabular"
)

// Unlabelled tells that rows of the training table lack the target and are left out.
type Unlabelled struct {
	Target     string
	Left, Rows int // left out, and of all
	File       string
	Text       string // the first text that was read as missing, such as NA; "" for none
}

// String implements [Warning].
func (w Unlabelled) String() string {
	lack, they := "lack", "these rows are"
	if w.Left == 1 {
		lack, they = "lacks", "it is"
	}
	text := fmt.Sprintf("%d of %s of %s %s a value of %q: %s left out", w.Left, count(w.Rows, "row"),
		w.File, lack, w.Target, they)
	if w.Text != "" {
		text += fmt.Sprintf("; %q is read as missing", w.Text)
	}
	return text
}

// leaveOut leaves out the rows of a table that lack the target, which says nothing of them, unless
// the options refuse such rows. What is wrong with the options is left to tabular.Learn.
func (t *Training) leaveOut(table *tabular.Table) (*tabular.Table, error) {
	target := t.Options.Target
	if t.Options.Strict || table.Schema.FieldIndices(target) == nil || table.Rows == 0 {
		return table, nil
	}
	labelled, err := table.Labelled(target)
	if err != nil || labelled == table {
		return table, err
	}
	t.labelled = labelled.Positions()
	t.Warnings = append(t.Warnings, Unlabelled{Target: target, File: table.File,
		Left: int(table.Rows - labelled.Rows),
		Rows: int(table.Rows), Text: table.MissingText(target)})
	return labelled, nil
}
