package run

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/flags"
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
	note := fmt.Sprintf(format, args...)
	if j.Told == nil || !j.Told(note) {
		j.Said = append(j.Said, note)
		j.Notef("note: %s", note)
	}
}

// noteTraining says what was read of the training table, with notes on the
// file itself, and which rows are the context.
func (j *Job) noteTraining(notes []string) {
	t := j.Training.Target
	target := fmt.Sprintf("from %g to %g", t.Lo, t.Hi)
	if t.Labels != nil {
		target = "of " + LabelCounts(t.Labels.Texts, t.Counts)
	}
	j.Notef("context %s: %s, %s; target %q %s", j.Schema.File,
		words.Count(t.Rows, "row"), Kinds(j.Schema.Columns), j.Schema.TargetName, target)
	for _, note := range append(notes, j.Schema.NotesWith(flags.WordsOf(j.From.Command, false))...) {
		j.Warnf("%s", note)
	}
	for _, told := range j.Training.Warnings {
		if told.Kind == warning.FewValues && j.From.Task == models.RegressionTask {
			continue // as was asked for
		}
		remedy := strings.ReplaceAll(remedies[told.Kind], "#", fault.Listed(told.Column))
		if told.Kind == warning.Unlabelled && told.Values != nil {
			remedy = " (--na names other texts, --strict refuses such rows)"
		}
		j.Warnf("%s", told.Text+remedy)
	}
}

// remedies end the notes on a training table; # is the column.
var remedies = map[warning.Kind]string{
	warning.Unlabelled:     " (--strict refuses such rows)",
	warning.Repeated:       " (--repeated keep counts them, --strict refuses them)",
	warning.SameFeatures:   " (name its column: evaluate --group COLUMN keeps a set in one fold)",
	warning.Alone:          ": --ignore #; or keep it: --keep-feature #",
	warning.Copies:         ": --ignore #; or keep it: --keep-feature #",
	warning.PossibleLabels: " (--target-values any lifts this)",
	warning.DrawnRows:      " (--subsample ROWS reads so many and no others)",
	warning.FewValues:      " (--task classification)",
}

// Kinds counts the features by kind and the missing cells.
func Kinds(columns []tabular.Column) string {
	byKind, missing := map[string]int{}, 0
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

// NoteRows says what is odd about the rows of a query table; more are notes on the file.
func (j *Job) NoteRows(p *pfnamp.Predictor, file string, t warning.Tally, more ...string) {
	for _, note := range slices.Concat(t.Notes, more) {
		j.Warnf("%s", j.About(file, note))
	}
	for _, w := range p.Warnings(t) {
		w.Text = j.About(file, w.Text)
		if w.Kind == warning.OutsideRange && !j.From.Saved {
			name := fault.Listed(w.Column)
			w.Text += " (--ignore " + name + " leaves the column out"
			if slices.ContainsFunc(j.Schema.Columns, func(c tabular.Column) bool {
				return c.Name == w.Column && (c.Kind == tabular.Date || c.Kind == tabular.Timestamp ||
					c.Lo > 1500 && c.Hi < 2200 && t.Outside[c.Name] == t.Counted) // years
			}) {
				w.Text += "; evaluate --time " + name + " tests predictions of later rows"
			}
			w.Text += ")"
		}
		j.Warnf("%s", w)
	}
}

// About begins a note with the table that it is about; the same file is TRAIN in the rest of it.
func (j *Job) About(file, note string) string {
	if file == j.Schema.File {
		note = strings.ReplaceAll(note, " "+file, " TRAIN")
	}
	return file + ": " + note
}

// What a column of subjects, such as persons with several rows each, looks like.
const (
	leastSubjects = 20
	mostVisits    = 12  // rows of a subject, on average
	evenVisits    = 2.0 // the largest subject beside the smallest
)

// NoteSubjects says which column looks like subjects whose rows belong together, where averages
// take rows as independent.
func (j *Job) NoteSubjects(f *pfnamp.Fitted) {
	if f.Options().Group != "" {
		return
	}
	rows := f.ContextRows().X
	for at, c := range f.Schema().Encoded() {
		if c.Part == "" && likeSubjects(rows.Column(nil, at), c.Categories != nil) {
			j.Warnf("the values of %q repeat like those of persons: if rows with the same value belong "+
				"together, intervals of averages and differences are too narrow; use --group %s",
				c.Name, fault.Shell(c.Name))
		}
	}
}

// likeSubjects reports whether values are those of subjects: many, each with about as many rows,
// and consecutive if they are numbers.
func likeSubjects(values []float64, categories bool) bool {
	counts := map[float64]float64{}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if v != math.Trunc(v) { // NaN too
			return false
		}
		lo, hi = min(lo, v), max(hi, v)
		counts[v]++
	}
	if n := float64(len(counts)); n < leastSubjects || float64(len(values)) > mostVisits*n ||
		!categories && hi-lo != n-1 {
		return false
	}
	sizes := slices.Collect(maps.Values(counts))
	return slices.Min(sizes) >= 2 && slices.Max(sizes) <= evenVisits*slices.Min(sizes)
}

// noteCompanion says which network tells the credible intervals of a model without a posterior.
func (j *AskJob) noteCompanion() {
	b := j.Bundle.Manifest.Companion
	if b == nil || !slices.ContainsFunc(j.Question.Posteriors, pfnamp.Posterior.Own) {
		return
	}
	if why := j.Fitted.Context().Alone(); why != nil {
		j.Warnf("credible intervals come from chains, because the companion has not read the table: %v",
			why)
		return
	}
	j.Notef("credible intervals: from %s %s, the companion of %s (from chains: --posterior paper)",
		b.Manifest.Name, b.Manifest.Version, j.Bundle.Manifest.Name)
}

// extrapolated says what of a question lies beyond the levels of a network's own posterior, a
// sentence each.
func extrapolated(q pfnamp.Question, m *models.Manifest) []string {
	if m == nil || !slices.ContainsFunc(q.Posteriors, pfnamp.Posterior.Own) {
		return nil
	}
	var notes []string
	widest := math.NaN() // level that the outermost posterior levels hold
	switch {
	case m.Surface != nil:
		notes = beyondLevels(q.Functionals, m.Surface.Levels)
		widest = between(m.Surface.PosteriorLevels, m.Surface.Scale)
	case m.ClassPosterior != nil:
		widest = between(m.ClassPosterior.PosteriorLevels, 1) // its quantiles are calibrated
	}
	if q.Level > widest {
		notes = append(notes, fmt.Sprintf("--level %g: the learned posterior ends at level %.4g, "+
			"so credible intervals have that level", q.Level, widest))
	}
	return notes
}

// between is the probability between the outermost levels where they are read at a scale.
func between(levels []float64, scale float64) float64 {
	outer := distuv.UnitNormal.Quantile(levels[len(levels)-1]) / scale
	return 2*distuv.UnitNormal.CDF(outer) - 1
}

// beyondLevels names the quantiles that lie beyond the levels of a surface.
func beyondLevels(functionals []amp.Functional, levels []float64) []string {
	var notes []string
	first, last := levels[0], levels[len(levels)-1]
	for _, f := range functionals {
		if end, beyond := amp.Beyond(f, levels); beyond {
			notes = append(notes, fmt.Sprintf("%s is extrapolated: the learned posterior has "+
				"quantiles of levels %g to %g. Beyond, pfnamp shifts the interval of q%g like the quantiles "+
				"of the label", f, first, last, end))
		}
	}
	return notes
}
