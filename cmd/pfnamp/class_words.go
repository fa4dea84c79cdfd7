package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/tabular"
)

// classWords is the [wording] of a target of labels.
type classWords struct{}

func (classWords) target(t pfnamp.TargetSummary) string {
	return "of " + labelCounts(t.Labels.Texts, t.Counts)
}

func (classWords) check(o *predictOptions, m models.Manifest) error {
	refused := func(what, hint string) error {
		return fault.Wrong(fmt.Sprintf(
			"%s is for numbers, and model %s predicts classes", what, m.Name), hint)
	}
	given := func(name string) bool { return slices.Contains(o.numbers, name) }
	if given("functional") {
		return refused("--functional", "drop --functional: the output has the probability of every class")
	}
	if given("ppd") {
		return refused("--ppd", "drop --ppd: the columns p=LABEL are the distribution of the label; "+
			"--samples 100 draws from it")
	}
	if slices.Contains(o.question.Posteriors, pfnamp.Direct) && m.ClassPosterior == nil {
		return refused("--posterior direct", "the posteriors are limit (default) and paper")
	}
	o.question.Functionals, o.question.Label = classWords{}.asked(o.question.Functionals), nil
	if !given("rho") {
		o.question.Rho = 0
	}
	return nil
}

// checkDraws refuses more than two classes.
func (classWords) checkDraws(names []string) error {
	if len(names) <= 2 {
		return nil
	}
	return fault.Option("joint", fmt.Sprintf("cannot draw %d classes: it couples rows class by "+
		"class, so "+"the draws would not sum to 1", len(names)),
		"use --summary for averages of every class and their differences")
}

func (classWords) twice(err *pfnamp.ColumnError, train, target string) error {
	return &tabular.Error{File: train, Column: target,
		Msg:  fmt.Sprintf("two labels lead to the same output column %q", err.Name),
		Hint: "rename one of the labels, for example one that ends in _lo"}
}

func (classWords) promised() (columns, hold string) {
	return "set, set_size", "a set contains the label"
}

func (classWords) columns(name, others string, q pfnamp.Question) string {
	return fmt.Sprintf("class: the most probable class; *_lo, *_hi (such as %s_lo, %s_hi): %s "+
		"credible interval of a class's probability, %s posterior%s", name, name, report.Level(q.Level),
		q.Posteriors[0], others)
}

// wide is about the most probable class.
func (classWords) wide(
	c *counters, _ pfnamp.Question, _ pfnamp.Layout, asked asking,
) []string {
	const little = 0.8
	mean := c.widths[0] / float64(c.rows)
	if !(mean > little) {
		return nil
	}
	text := fmt.Sprintf("the credible interval of the most probable class's probability is %.2f "+
		"wide on "+
		"average, so it says little: with %s and %s the chains take large steps", mean,
		count(asked.rows, "row"), count(asked.features, "feature"))
	if asked.manifest.ClassPosterior != nil {
		text += "; --posterior auto uses the network's own posterior"
	}
	return []string{text}
}

func (classWords) scale(string, pfnamp.Question, pfnamp.Layout) scale { return ofProbability }

func (classWords) fill(r *report.Row, a *pfnamp.Answer, row int) { r.Best = a.Best[row] }

func (classWords) score(
	s *evaluate.Labelled, sets *setScores, a *pfnamp.Answer, row int, label float64,
) {
	if a.Sets != nil {
		sets.add(a.Sets[row], label)
	}
	s.AddClass(a.Predictions[row].PPD.(amp.Classes), a.Best[row], int(label))
}

func (classWords) scores(r *scoresResult, s *evaluate.Labelled, sets *setScores) {
	r.Accuracy, r.Brier, r.LogLoss = figure(s.Accuracy()), figure(s.Brier()), figure(s.LogLoss())
	_, rows := s.Majority()
	r.Majority = figure(float64(rows) / float64(s.Rows))
	if sets.rows > 0 {
		r.SetCover, r.SetSize = figure(sets.coverage()), figure(sets.size())
	}
}

// scoresText has beside them what is right without a model.
func (classWords) scoresText(r *scoresResult, c *counters) string {
	text := fmt.Sprintf("accuracy %.3g", *r.Accuracy)
	if class, _ := c.scores.Majority(); class >= 0 {
		text += fmt.Sprintf(" (always %q: %.3g)", c.schema.Labels.Texts[class], *r.Majority)
	}
	if !math.IsNaN(float64(*r.LogLoss)) { // as it is where no label is known
		text += fmt.Sprintf(", log loss %.3g, Brier score %.3g", *r.LogLoss, *r.Brier)
	}
	if r.SetCover != nil {
		text += fmt.Sprintf("; %.3g %% are in their %s sets, which hold %.3g labels on average",
			100**r.SetCover, report.Level(c.question.Level), *r.SetSize)
	}
	if r.Unseen > 0 {
		text += fmt.Sprintf("; %s not in %s, such as %q: counted as wrong, left out of the log loss",
			count(r.Unseen, "label"), c.schema.File, c.unseen)
	}
	if near := c.near; near != "" {
		c.warnf("%s: label %q differs from %q of %s only by case or spaces, so it counts as another "+
			"class", c.test,
			c.unseen, near, c.schema.File)
	}
	return text
}

// rankable says which targets rank rows.
const rankable = "name a target of numbers, or write two classes as 0 and 1"

func (classWords) ranked(m models.Manifest) error {
	return fault.Wrong(fmt.Sprintf("next ranks rows by a number, but the model %s predicts "+
		"classes", m.Name), rankable)
}

func (classWords) functionals(given bool, who, what string) error {
	if !given {
		return nil
	}
	return fault.Option("functional", "is for numbers, and "+who, "drop --functional: "+what)
}

// asked leaves the classes to the question.
func (classWords) asked([]amp.Functional) []amp.Functional { return nil }

func (classWords) model(m *pfn.Model, classes int, _ *amp.Support) evaluate.Model {
	return evaluate.ClassNetwork{Network: m, Classes: classes}
}

func (classWords) trends() map[string]string {
	return map[string]string{"none": "features",
		"linear": "features and a line's shares of the classes",
		"kernel": "features and a kernel's shares of the classes"}
}

func (classWords) mostClasses(m *models.Manifest) int { return m.MostClasses() }

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
