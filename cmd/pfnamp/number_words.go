package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/report"
)

// numberWords is the [wording] of a target of numbers.
type numberWords struct{}

func (numberWords) target(t pfnamp.TargetSummary) string {
	return fmt.Sprintf("from %g to %g", t.Lo, t.Hi)
}

func (numberWords) check(o *predictOptions, m models.Manifest) error {
	if slices.Contains(o.question.Posteriors, pfnamp.Direct) {
		return pfnamp.CheckDirect(m)
	}
	return nil
}

func (numberWords) checkDraws([]string) error { return nil }

func (numberWords) twice(err *pfnamp.ColumnError, _, _ string) error { return columnFailure(err) }

func (numberWords) promised() (columns, hold string) {
	return "pi_lo, pi_hi", "they contain a " +
		"label"
}

func (numberWords) columns(name, others string, q pfnamp.Question) string {
	return fmt.Sprintf("*_lo, *_hi (such as %s_lo, %s_hi): %s credible interval of the "+
		"functional, %s posterior%s; pi_lo, pi_hi: %s predictive interval of a label",
		name, name, report.Level(q.Level), q.Posteriors[0], others, report.Level(q.Level))
}

// wide is about functionals in the unit of the target, whose intervals predictive ones are compared
// with.
func (numberWords) wide(
	c *counters, q pfnamp.Question, layout pfnamp.Layout, asked asking,
) (notes []string) {
	const wide = 0.9 // share of the predictive interval's width
	for i, f := range q.Functionals {
		if share := c.widths[i] / float64(c.rows); f.Unit() == amp.TargetUnit && share > wide {
			notes = append(notes, fmt.Sprintf("%s: its credible interval is on average %.2f times as wide "+
				"as the predictive "+
				"interval, so it says little more; %s", layout.Names[i], share,
				wayOut(asked.manifest)))
		}
	}
	return notes
}

func (numberWords) scale(column string, q pfnamp.Question, layout pfnamp.Layout) scale {
	event := slices.ContainsFunc(q.Functionals, func(f amp.Functional) bool {
		name := layout.Prefix + f.String()
		return f.Unit() == amp.ProbabilityUnit && (column == name || strings.HasPrefix(column, name+"_"))
	})
	of, label := strings.CutPrefix(column, layout.Prefix+"ppd_")
	switch {
	case event || strings.HasSuffix(column, "_diff_above0") || label && strings.HasPrefix(of, "p"):
		return ofProbability
	case label && strings.HasPrefix(of, "density"):
		return asItIs
	}
	return ofTarget
}

func (numberWords) fill(r *report.Row, a *pfnamp.Answer, row int) {
	r.LabelLo, r.LabelHi = a.Predictive[row].Lo, a.Predictive[row].Hi
}

func (numberWords) score(
	s *evaluate.Labelled, _ *setScores, a *pfnamp.Answer, row int, label float64,
) {
	ppd := a.Predictions[row].PPD.(evaluate.PPD)
	s.Add(label, ppd.Mean(), ppd.CRPS(label), evaluate.Interval(a.Predictive[row]))
}

func (numberWords) scores(r *scoresResult, s *evaluate.Labelled, _ *setScores) {
	r.RMSE, r.CRPS, r.Coverage = figure(s.RMSE()), figure(s.CRPS()), figure(s.Coverage())
	if r2 := s.R2(); !math.IsNaN(r2) {
		r.R2 = figure(r2)
	}
}

func (numberWords) scoresText(r *scoresResult, c *counters) string {
	text := ""
	if r.R2 != nil {
		text = fmt.Sprintf("R² %.3g, ", *r.R2)
		if *r.R2 <= 0 {
			text = fmt.Sprintf("R² %.3g, no better than predicting their mean; ", *r.R2)
		}
	}
	return fmt.Sprintf("%sRMSE %.4g, CRPS %.4g; %.3g %% are inside their %s predictive intervals",
		text, *r.RMSE, *r.CRPS, 100**r.Coverage, report.Level(c.question.Level))
}

func (numberWords) ranked(models.Manifest) error { return nil }

func (numberWords) functionals(bool, string, string) error { return nil }

func (numberWords) asked(functionals []amp.Functional) []amp.Functional { return functionals }

func (numberWords) model(m *pfn.Model, _ int, values *amp.Support) evaluate.Model {
	return evaluate.Network{Network: m, Values: values}
}

func (numberWords) trends() map[string]string {
	return map[string]string{"none": "the target", "linear": "its residuals from a line",
		"kernel": "its residuals from a kernel"}
}

func (numberWords) mostClasses(*models.Manifest) int { return 0 }
