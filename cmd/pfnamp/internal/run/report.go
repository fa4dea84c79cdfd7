package run

import (
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/joint"
	"github.com/pfnamp/pfnamp/report"
)

// Asked is a question as a report or a figure names it.
func (j *AskJob) Asked() report.Asked {
	q := j.Question
	a := report.Asked{Target: j.From.Fit.Target, Level: q.Level, Functionals: j.Layout.Names,
		Posterior: string(q.Posteriors[0]), Classes: j.Layout.Classes()}
	for _, f := range q.Functionals {
		a.Events = append(a.Events, f.Unit() == amp.ProbabilityUnit)
	}
	for _, other := range q.Posteriors[1:] {
		a.Others = append(a.Others, string(other))
	}
	return a
}

// Scale is how a screen shows a computed column of numbers.
func (j *AskJob) Scale(column string) output.Scale {
	column = strings.TrimPrefix(column, j.Layout.Prefix)
	event := slices.ContainsFunc(j.Question.Functionals, func(f amp.Functional) bool {
		name := f.String()
		return f.Unit() == amp.ProbabilityUnit && (column == name || strings.HasPrefix(column, name+"_"))
	})
	of, label := strings.CutPrefix(column, "ppd_")
	switch {
	case j.Classes(), event, strings.HasSuffix(column, "_above0"), column == "support",
		label && strings.HasPrefix(of, "p"):
		return output.OfProbability
	case label && strings.HasPrefix(of, "density"):
		return output.AsItIs
	}
	return output.OfTarget
}

// ToldEffect is an average or a difference as a report tells it.
func ToldEffect(effect joint.Effect, q pfnamp.Question) report.Average {
	told := report.Average{Name: effect.Name, Rows: effect.Rows}
	for f := range effect.Points {
		e := effect.Estimate(f, q.Level, q.Interval)
		told.Estimates = append(told.Estimates, report.Estimate{Point: e.Point, Lo: e.Lo, Hi: e.Hi})
		told.Above, told.Draws = append(told.Above, effect.Above(f)), len(effect.Draws[f])
	}
	return told
}
