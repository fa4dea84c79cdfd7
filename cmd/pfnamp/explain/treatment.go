package explain

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/engine"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/explain"
	"github.com/pfnamp/pfnamp/joint"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/warning"
)

// treatmentExplanation is the adjusted effect of a column with two values.
type treatmentExplanation struct {
	job   *explainJob
	found *explain.Treatment
	// groups holds the effects in the groups of --group-by that have enough rows in both arms.
	groups   []explain.TreatmentGroup
	effects  []joint.Effect   // averages and differences, those of groups last
	averages []report.Average // the same as reports word them
}

func (e *treatmentExplanation) check() error {
	j := e.job
	err := explain.CheckTreatment(j.Question, j.Schema, j.Context, j.treatment)
	if wrong, ok := errors.AsType[*pfnamp.OptionError](err); ok {
		return fault.Wrong(wrong.Msg, "drop --functional, or ask for means and events: -f 'mean,p>150'")
	}
	if by := j.groupBy; err == nil && by != "" {
		err = explain.CheckColumn(j.Schema, by)
	}
	return err
}

// compute lets a classifier tell how probable the arms of rows are, and compares the arms.
func (e *treatmentExplanation) compute(ctx context.Context) (finding, error) {
	if err := e.compare(ctx); err != nil {
		return finding{}, err
	}
	q := e.job.Question
	record := joint.EffectsRecord(joint.EffectsSchema(e.job.Layout), e.effects, q.Level, q.Interval)
	return finding{Result: output.Result{Record: record, Chart: e.chart()},
		title:   fmt.Sprintf("Effect of %s on %s", e.job.treatment, e.job.From.Fit.Target),
		changes: e.changes(), sentences: e.sentences(),
		sections: []report.Section{{Title: "Means and differences",
			Table: e.job.Asked().AverageTable(e.averages)}},
		caption: []string{
			"The adjusted difference compares the two arms as if their other columns were alike.",
			"Adjusted: the mean over all rows, with the one-step posterior correction. Model alone: " +
				"the same without the correction. Not adjusted: the difference of the mean labels. The " +
				"last panel shows the predicted probability of the second arm. Rows can be compared only " +
				"where both arms have rows."}}, nil
}

func (e *treatmentExplanation) compare(ctx context.Context) (err error) {
	j, by := e.job, e.job.groupBy
	if by != "" {
		if err := explain.CheckTreatmentGroups(j.Predictor.Fitted(), j.treatment, by); err != nil {
			return err
		}
	}
	j.NoteSubjects(j.Fitted)
	classifier, err := pfnamp.OpenFor(models.ClassificationTask, j.From.Engine())
	if err != nil {
		return engine.MemoryFailure(err, "", 1)
	}
	defer func() { err = errors.Join(err, classifier.Close()) }()
	j.Telling().Unit, j.Telling().Total = "folds", explain.TreatmentFolds
	e.found, err = explain.NewTreatment(ctx, j.Predictor, classifier, j.treatment,
		func(n int) { j.Telling().Count(int64(n)) })
	if err != nil {
		return err
	}
	whole, _, _ := j.Fitted.WholeContext()
	if left := whole.X.Rows - e.found.Rows[0] - e.found.Rows[1]; left > 0 {
		j.Warnf("%s", warning.UnlabelledOf(j.From.Train, j.treatment, left, whole.X.Rows, ""))
	}
	e.effects = slices.Clone(e.found.Effects)
	var groups []explain.TreatmentGroup
	if by != "" {
		groups, err = e.found.By(by)
	}
	for _, g := range groups {
		if g.Effect.Points == nil {
			j.Warnf("%s = %s: no difference, because an arm has fewer than 10 rows (%d and %d)", by,
				g.Value, g.Rows[0], g.Rows[1])
			continue
		}
		e.groups, e.effects = append(e.groups, g), append(e.effects, g.Effect)
	}
	for _, effect := range e.effects {
		told, t := run.ToldEffect(effect, j.Question), e.found
		if effect.Contrast {
			told.Plus, told.Minus = t.Column+" = "+t.Arms[1], t.Column+" = "+t.Arms[0]
		}
		e.averages = append(e.averages, told)
	}
	return err
}

func (e *treatmentExplanation) changes() (all []changeResult) {
	t, averages := e.found, e.averages
	tell := func(average report.Average, group string) {
		for f, name := range e.job.Layout.Names {
			v := average.Estimates[f]
			all = append(all, changeResult{t.Column, name, t.Arms[0], t.Arms[1], v.Point, v.Lo, v.Hi,
				average.Above[f], group})
		}
	}
	tell(averages[explain.Adjusted], "")
	for k, g := range e.groups {
		tell(averages[len(t.Effects)+k], g.Value)
	}
	return all
}

func (e *treatmentExplanation) sentences() []string {
	t, averages := e.found, e.averages
	texts := e.job.Asked().Sentences(averages[explain.Adjusted : explain.Adjusted+1])
	if o := t.Overlap; !o.Holds() {
		texts = slices.Insert(texts, 0, fmt.Sprintf("Do not rely on this difference: overlap fails. For "+
			"%.0f %% of the rows the probability of %s = %s is below %g or above %g. Hardly any row of "+
			"the other arm is like them, so the interval may miss the effect. Keep only rows for which "+
			"both values occur, and run again.", 100*o.Outside, t.Column, t.Arms[1],
			explain.OverlapEdge, 1-explain.OverlapEdge))
	}
	texts = append(texts, "The difference is an average over all rows, adjusted for other columns.")
	for _, text := range e.job.Asked().Sentences(averages[explain.Raw : explain.Raw+1]) {
		texts = append(texts, "Not adjusted: "+text)
	}
	for k, g := range e.groups {
		for _, text := range e.job.Asked().Sentences(averages[len(t.Effects)+k : len(t.Effects)+k+1]) {
			texts = append(texts, fmt.Sprintf("%s = %s: %s", e.job.groupBy, g.Value, text))
		}
	}
	return append(texts,
		fmt.Sprintf("A difference is the causal effect of %s only if the features include every column "+
			"that influences both %s and %s, and no consequence of %[1]s.", t.Column, t.Column,
			e.job.From.Fit.Target),
		fmt.Sprintf("Overlap: the probability of %s = %s is %.2f to %.2f. Weights make the other "+
			"columns of the two arms alike; the %d and %d rows are then worth %.0f and %.0f rows of equal "+
			"weight (effective sample size).", t.Column, t.Arms[1],
			slices.Min(t.Overlap.Chances), slices.Max(t.Overlap.Chances), t.Rows[0], t.Rows[1],
			t.Overlap.Effective[0], t.Overlap.Effective[1]))
}

// chart draws the differences, computed in several ways, and for each arm how many rows have which
// probability of the second arm.
func (e *treatmentExplanation) chart() report.Chart {
	t, asked := e.found, e.job.Asked()
	ways := []string{"adjusted", "model alone", "not adjusted"}
	for _, g := range e.groups {
		ways = append(ways, e.job.groupBy+" = "+g.Value)
	}
	var line []report.Panel
	for _, f := range asked.Shown(nil) {
		name := asked.Functionals[f]
		p := report.Panel{Title: "difference in " + name, Names: ways, Target: report.Numbers{0},
			Y: asked.Target}
		if asked.Events[f] {
			p.Y = "probability"
		}
		spans := report.Series{Name: report.Level(asked.Level) + " interval", Mark: report.Spans,
			Thin: 0.4}
		rings := report.Series{Name: spans.Name, Mark: report.Rings}
		for i, v := range e.averages[explain.Adjusted:] {
			e := v.Estimates[f]
			spans.X, spans.Lo, spans.Hi = append(spans.X, float64(i)), append(spans.Lo, e.Lo),
				append(spans.Hi, e.Hi)
			rings.X, rings.Y = append(rings.X, float64(i)), append(rings.Y, e.Point)
		}
		p.Series = []report.Series{spans, rings}
		line = append(line, p)
	}
	const bins = 20
	overlap := report.Panel{Title: "rows by probability of " + t.Column + " = " + t.Arms[1],
		X: "probability", Y: "rows"}
	for arm, name := range t.Arms {
		s := report.Series{Name: "rows with " + t.Column + " = " + name, Y: make(report.Numbers, bins)}
		for k := range bins {
			s.X = append(s.X, (float64(k)+0.5)/bins)
		}
		for i, chance := range t.Overlap.Chances {
			if t.Overlap.Treated[i] == (arm == 1) {
				s.Y[max(0, min(bins-1, int(chance*bins)))]++
			}
		}
		overlap.Series = append(overlap.Series, s)
	}
	line = append(line, overlap)
	return report.Chart{Panels: [][]report.Panel{line},
		Alt: "Differences between two arms, and their overlap"}.Sized(360*len(line), 340)
}
