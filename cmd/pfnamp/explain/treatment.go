package explain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/engine"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/explain"
	"github.com/pfnamp/pfnamp/joint"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/report"
)

// treatmentExplanation is the adjusted effect of a column with two values.
type treatmentExplanation struct {
	job   *explainJob
	found *explain.Treatment
	// groups holds the effects in the groups of --group-by that have enough rows in both arms.
	groups []explain.TreatmentGroup
}

// check refuses what has no mean, and columns that there are not.
func (e *treatmentExplanation) check() error {
	j := e.job
	err := explain.CheckTreatment(j.Question, j.Schema, j.treatment)
	if wrong, ok := errors.AsType[*pfnamp.OptionError](err); ok {
		return fault.Wrong(wrong.Msg, "drop --functional, or ask for means and events: -f "+
			"'mean,p>150'")
	}
	if by := j.groupBy; err == nil && by != "" {
		err = explain.CheckColumn(j.Schema, by)
	}
	return err
}

// schema has a line for every average and difference.
func (e *treatmentExplanation) schema() *arrow.Schema { return joint.EffectsSchema(e.job.Layout) }

// compute lets a classifier tell how probable the arms of rows are, and compares the arms.
func (e *treatmentExplanation) compute(ctx context.Context) (finding, error) {
	if err := e.compare(ctx); err != nil {
		return finding{}, err
	}
	q := e.job.Question
	return finding{record: joint.EffectsRecord(e.schema(), e.effects(), q.Level, q.Interval),
		chart: e.chart(), changes: e.changes(), sentences: e.sentences(),
		sections: []report.Section{{Title: "Means and differences",
			Table: e.job.Asked().AverageTable(e.averages())}},
		caption: []string{
			"The adjusted difference compares the two arms as if their other columns were alike.",
			"Adjusted: the mean over all rows, with the one-step posterior correction. Model alone: " +
				"the same without the correction. Not adjusted: the difference of the mean labels. The " +
				"last panel shows the predicted probability of the second arm. Rows can be compared only " +
				"where both arms have rows."}}, nil
}

func (e *treatmentExplanation) compare(ctx context.Context) (err error) {
	j := e.job
	if by := j.groupBy; by != "" {
		err := explain.CheckTreatmentGroups(j.Predictor.Fitted(), j.treatment, by)
		if err != nil {
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
	if o := e.found.Overlap; !o.Holds() {
		j.Warnf("overlap fails: %.0f %% of the rows have a probability of %s = %s below %g or above "+
			"%g. Hardly any row of the other arm is like them, so the interval may miss the effect. Keep "+
			"only rows for which both values occur, and run again", 100*o.Outside, e.found.Column,
			e.found.Arms[1],
			explain.OverlapEdge, 1-explain.OverlapEdge)
	}
	return e.compareGroups()
}

// compareGroups computes the effect in every group of --group-by.
func (e *treatmentExplanation) compareGroups() error {
	by := e.job.groupBy
	if by == "" {
		return nil
	}
	groups, err := e.found.By(by)
	for _, g := range groups {
		if g.Effect.Points == nil {
			e.job.Warnf("%s = %s: no difference, because an arm has fewer than 10 rows (%d and %d)", by,
				g.Value, g.Rows[0], g.Rows[1])
			continue
		}
		e.groups = append(e.groups, g)
	}
	return err
}

// effects are the averages and differences, those of groups last.
func (e *treatmentExplanation) effects() []joint.Effect {
	all := slices.Clone(e.found.Effects)
	for _, g := range e.groups {
		all = append(all, g.Effect)
	}
	return all
}

// scales has four columns of every functional.
func (e *treatmentExplanation) scales() []output.Scale {
	of := []output.Scale{output.AsItIs, output.AsItIs}
	for _, f := range e.job.Question.Functionals {
		unit := output.OfTarget
		if f.Unit() == amp.ProbabilityUnit {
			unit = output.OfProbability
		}
		of = append(of, unit, unit, unit, output.OfProbability)
	}
	return of
}

// averages are the means and differences as report words them.
func (e *treatmentExplanation) averages() []report.Average {
	q, t := e.job.Question, e.found
	effects := e.effects()
	all := make([]report.Average, len(effects))
	for i, effect := range effects {
		all[i] = run.ToldEffect(effect, q)
		if effect.Contrast {
			all[i].Plus, all[i].Minus = t.Column+" = "+t.Arms[1], t.Column+" = "+t.Arms[0]
		}
	}
	return all
}

// changes are the adjusted differences.
func (e *treatmentExplanation) changes() (all []changeResult) {
	t, averages := e.found, e.averages()
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

// sentences say the adjusted differences and what they rest on.
func (e *treatmentExplanation) sentences() []string {
	t, averages := e.found, e.averages()
	texts := e.job.Asked().Sentences(averages[explain.Adjusted : explain.Adjusted+1])
	lo, hi := 1.0, 0.0
	for _, p := range t.Overlap.Chances {
		lo, hi = min(lo, p), max(hi, p)
	}
	texts = append(texts, fmt.Sprintf("This average over all rows is adjusted for the other columns; "+
		"unadjusted it is %s.", e.unadjusted(averages[explain.Raw])))
	for k, g := range e.groups {
		for _, text := range e.job.Asked().Sentences(averages[len(t.Effects)+k : len(t.Effects)+k+1]) {
			texts = append(texts, fmt.Sprintf("%s = %s: %s", e.job.groupBy, g.Value, text))
		}
	}
	return append(texts,
		fmt.Sprintf("It is the causal effect of %s only if the features include every column that "+
			"influences both %s and %s, and no consequence of %[1]s.", t.Column, t.Column,
			e.job.From.Fit.Target),
		fmt.Sprintf("Overlap: the probability of %s = %s is %.2f to %.2f. The arms have %d and %d "+
			"rows, which count like %.0f and %.0f after weighting.", t.Column, t.Arms[1], lo, hi, t.Rows[0],
			t.Rows[1],
			t.Overlap.Effective[0], t.Overlap.Effective[1]))
}

// unadjusted writes the differences of the mean labels, with the functionals if there are several.
func (e *treatmentExplanation) unadjusted(raw report.Average) string {
	all := make([]string, len(raw.Estimates))
	for f, v := range raw.Estimates {
		if all[f] = fmt.Sprintf("%.3g", v.Point); len(all) > 1 {
			all[f] += " (" + e.job.Layout.Names[f] + ")"
		}
	}
	return strings.Join(all, ", ")
}

// chart draws the differences, and the probabilities of the arms.
func (e *treatmentExplanation) chart() report.Drawing {
	t := e.found
	figure := report.Treatment{Asked: e.job.Asked(), Averages: e.averages()[explain.Adjusted:],
		Ways: e.ways(), Chances: t.Overlap.Chances,
		Treated: t.Overlap.Treated, Edge: explain.OverlapEdge}
	for k, arm := range t.Arms {
		figure.Arms[k] = t.Column + " = " + arm
	}
	figure.Width, figure.Height = e.job.to.Size[0], e.job.to.Size[1]
	return figure
}

// ways name the differences in the figure.
func (e *treatmentExplanation) ways() []string {
	ways := []string{"adjusted", "model alone", "not adjusted"}
	for _, g := range e.groups {
		ways = append(ways, e.job.groupBy+" = "+g.Value)
	}
	return ways
}
