package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
	"github.com/pfnamp/pfnamp/warning"
)

// notef writes a line about the job unless --quiet or --json is given.
func (j *contextJob) notef(format string, args ...any) {
	if !j.from.quiet {
		j.telling().Clear()
		j.std.Notef(format, args...)
	}
}

// warnf writes a note that the user should know, which --json and reports show too.
func (j *contextJob) warnf(format string, args ...any) {
	j.said = append(j.said, fmt.Sprintf(format, args...))
	j.notef("note: "+format, args...)
}

// noteTraining says what was read of the training table, with notes on the
// file itself, and which rows are the context.
func (j *contextJob) noteTraining(notes []string) {
	t := j.training.Target
	target := fmt.Sprintf("from %g to %g", t.Lo, t.Hi)
	if t.Labels != nil {
		target = "of " + labelCounts(t.Labels.Texts, t.Counts)
	}
	j.notef("context %s: %s, %s; target %q %s", j.from.train,
		count(t.Rows, "row"), kinds(j.schema.Columns), j.schema.TargetName, target)
	for _, note := range append(notes, j.schema.NotesWith(fault.Words)...) {
		j.warnf("%s", note)
	}
	for _, told := range j.training.Warnings {
		text := told.String()
		switch w := told.(type) {
		case warning.Unlabelled:
			if w.Text != "" {
				text += " (--na names other texts)"
			}
			text += " (--strict refuses such rows)"
		case warning.Repeated:
			text += " (--repeated keep counts them) (--strict refuses them)"
		case warning.SameFeatures:
			text += " (name its column: evaluate --group COLUMN keeps a set in one fold)"
		case warning.Alone:
			name := fault.Listed(w.Column)
			text += ": --ignore " + name + "; or keep it: --keep-feature " + name
		case warning.PossibleLabels:
			text += " (--target-values any lifts this)"
		case warning.DrawnRows:
			text += " (--subsample ROWS reads another number)"
		case warning.FewValues:
			if j.from.task == models.RegressionTask { // which was asked for
				continue
			}
			text += " (--task classification)"
		}
		j.warnf("%s", text)
	}
}

// noteState says what a saved state was made of.
func (j *contextJob) noteState() {
	j.notef("state %s: context %s, %s, %s; target %q", j.from.train, j.schema.File,
		count(j.state.Rows, "row"), kinds(j.schema.Columns), j.schema.TargetName)
}

// kinds counts the features by kind and the missing cells.
func kinds(columns []tabular.Column) string {
	byKind := map[string]int{}
	missing := 0
	for _, column := range columns {
		byKind[column.Kind.String()]++
		missing += column.Missing
	}
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(byKind)) {
		parts = append(parts, fmt.Sprintf("%d %s", byKind[kind], kind))
	}
	return fmt.Sprintf("%s (%s), %s", count(len(columns), "feature"),
		strings.Join(parts, ", "), count(missing, "missing cell"))
}

// noteModel says which model runs where and, of a library that can use graphics cards, why there.
func (j *contextJob) noteModel() {
	manifest, runtime := j.bundle.Manifest, j.model.Runtime()
	where := runtime.Device
	if runtime.CUDA { // else there is nothing to choose
		where += ": " + runtime.Reason
	}
	if p := j.fitted.Context().Precision(); p != pfn.Float32 {
		where += " in " + p
	}
	j.notef("model %s %s, %s, onnxruntime %s on %s", manifest.Name, manifest.Version,
		count(j.fitted.Context().Members(), "member"), runtime.Version, where)
}

// count writes a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// maxListedLabels is how many labels a note lists.
const maxListedLabels = 10

// labelCounts says how many rows every label has.
func labelCounts(labels []string, counts []int) string {
	var parts []string
	for k, text := range labels[:min(len(counts), maxListedLabels)] {
		parts = append(parts, fmt.Sprintf("%s %d", text, counts[k]))
	}
	if more := len(counts) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	what := "classes"
	if len(counts) == 1 {
		what = "class"
	}
	return fmt.Sprintf("%d %s (%s)", len(counts), what, strings.Join(parts, ", "))
}

// toldCells is what is odd about the cells of a query table.
type toldCells struct {
	cells []warning.Warning
	notes []string
}

// add takes what an answer tells of further rows.
func (t *toldCells) add(a *pfnamp.Answer) {
	t.cells = warning.Add(t.cells, a.Warnings)
	for _, note := range a.Notes {
		if !slices.Contains(t.notes, note) {
			t.notes = append(t.notes, note)
		}
	}
}

// note writes the notes on a query table.
func (t *toldCells) note(j *contextJob, file string) {
	for _, note := range t.notes {
		j.warnf("%s: %s", file, note)
	}
	for _, w := range t.cells {
		j.warnf("%s", w)
	}
}
