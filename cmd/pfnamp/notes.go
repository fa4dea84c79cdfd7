package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

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
	j.notef("context %s: %s, %s; target %q %s", j.from.train,
		count(t.Rows, "row"), kinds(j.schema.Columns), j.schema.TargetName, j.words().target(t))
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
			text += ": --ignore " + fault.Listed(w.Column) + "; or keep it: --keep-feature " +
				fault.Listed(w.Column)
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

// noteSummary says what was done and, below a table on a terminal, how to read its columns.
func (j *predictJob) noteSummary() {
	q := j.opt.question
	contrasts := j.counts.averages[max(0, len(j.counts.averages)-len(j.opt.joint.contrasts)):]
	sentences := asked(q, j.layout, j.opt.fit.Target).Sentences(contrasts)
	for _, text := range sentences {
		j.notef("%s", text)
	}
	elapsed := time.Since(j.start)
	j.notef("%s in %.2f s -> %s", count(int(j.counts.rows), "row"), elapsed.Seconds(),
		strings.Join(destinations(j.opt.written(j.counts.rows)), ", "))
	if !j.opt.onScreen(j.opt.out, j.std) {
		return
	}
	name, others := j.opt.nameOf(j.layout.Names[0]), ""
	for _, other := range q.Posteriors[1:] {
		others += fmt.Sprintf("; *_%[1]s_lo, *_%[1]s_hi: %[1]s posterior", other)
	}
	j.notef("%s%s", j.words().columns(name, others, q), j.opt.labelNote())
}

// wayOut says which posterior may say more than chains do.
func wayOut(m models.Manifest) string {
	if m.Own() {
		return "--posterior auto uses the network's own posterior"
	}
	return "a bundle with a surface has a posterior of its own (docs/design/method.md)"
}

// whyEffectOutside says how an average of rows, or a difference, can lie outside its interval.
func whyEffectOutside(q pfnamp.Question) string {
	why := "chains deviate from the prediction, and these errors add up over rows"
	if q.Posteriors[0].Own() {
		why = "what the model leaves of the rows of TRAIN lies on the other side"
	}
	return why + ". The interval is widened to hold it"
}

// count writes a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// written lists what was written of so many rows, "-" for standard output.
func (o *predictOptions) written(rows int64) []string {
	paths := []string{o.out}
	if rows > 0 {
		paths = append(paths, o.plot)
	}
	paths = append(append(paths, o.report, o.joint.draws, o.joint.summary), o.filePaths()...)
	return slices.DeleteFunc(paths, func(path string) bool { return path == "" })
}

// destinations names what was written.
func destinations(paths []string) []string {
	names := slices.Clone(paths)
	for i, name := range names {
		if name == "-" {
			names[i] = "standard output"
		}
	}
	return names
}
