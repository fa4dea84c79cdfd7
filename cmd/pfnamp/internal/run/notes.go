package run

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
	"github.com/pfnamp/pfnamp/warning"
)

// Notef writes a line about the job unless --quiet or --json is given.
func (j *Job) Notef(format string, args ...any) {
	if !j.From.Quiet {
		j.Telling().Clear()
		j.Std.Notef(format, args...)
	}
}

// Warnf writes a note that the user should know, which --json and reports show too.
func (j *Job) Warnf(format string, args ...any) {
	j.Said = append(j.Said, fmt.Sprintf(format, args...))
	j.Notef("note: "+format, args...)
}

// noteTraining says what was read of the training table, with notes on the
// file itself, and which rows are the context.
func (j *Job) noteTraining(notes []string) {
	t := j.Training.Target
	target := fmt.Sprintf("from %g to %g", t.Lo, t.Hi)
	if t.Labels != nil {
		target = "of " + LabelCounts(t.Labels.Texts, t.Counts)
	}
	j.Notef("context %s: %s, %s; target %q %s", j.From.Train,
		words.Count(t.Rows, "row"), Kinds(j.Schema.Columns), j.Schema.TargetName, target)
	for _, note := range append(notes, j.Schema.NotesWith(fault.Words)...) {
		j.Warnf("%s", note)
	}
	for _, told := range j.Training.Warnings {
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
			if j.From.Task == models.RegressionTask { // which was asked for
				continue
			}
			text += " (--task classification)"
		}
		j.Warnf("%s", text)
	}
}

// noteState says what a saved state was made of.
func (j *Job) noteState() {
	j.Notef("state %s: context %s, %s, %s; target %q", j.From.Train, j.Schema.File,
		words.Count(j.State.Rows, "row"), Kinds(j.Schema.Columns), j.Schema.TargetName)
}

// Kinds counts the features by kind and the missing cells.
func Kinds(columns []tabular.Column) string {
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
	return fmt.Sprintf("%s (%s), %s", words.Count(len(columns), "feature"),
		strings.Join(parts, ", "), words.Count(missing, "missing cell"))
}

// noteModel says which model runs where and, of a library that can use graphics cards, why there.
func (j *Job) noteModel() {
	manifest, runtime := j.Bundle.Manifest, j.Model.Runtime()
	where := runtime.Device
	if runtime.CUDA { // else there is nothing to choose
		where += ": " + runtime.Reason
	}
	if p := j.Fitted.Context().Precision(); p != pfn.Float32 {
		where += " in " + p
	}
	j.Notef("model %s %s, %s, onnxruntime %s on %s", manifest.Name, manifest.Version,
		words.Count(j.Fitted.Context().Members(), "member"), runtime.Version, where)
}

// maxListedLabels is how many labels a note lists.
const maxListedLabels = 10

// LabelCounts says how many rows every label has.
func LabelCounts(labels []string, counts []int) string {
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

// ToldCells is what is odd about the cells of a query table.
type ToldCells struct {
	Cells []warning.Warning
	Notes []string
}

// Add takes what an answer tells of further rows.
func (t *ToldCells) Add(a *pfnamp.Answer) {
	t.Cells = warning.Add(t.Cells, a.Warnings)
	for _, note := range a.Notes {
		if !slices.Contains(t.Notes, note) {
			t.Notes = append(t.Notes, note)
		}
	}
}

// Note writes the notes on a query table.
func (t *ToldCells) Note(j *Job, file string) {
	for _, note := range t.Notes {
		j.Warnf("%s: %s", file, note)
	}
	for _, w := range t.Cells {
		j.Warnf("%s", w)
	}
}
