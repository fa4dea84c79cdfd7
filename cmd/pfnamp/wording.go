package main

import (
	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/report"
)

// wording is what the program says and asks of numbers, and what of classes. No other code of the
// program asks which of them a target holds.
type wording interface {
	// target describes the target of a training table.
	target(t pfnamp.TargetSummary) string
	// check refuses what cannot be asked of a model, and leaves to the question what has a default of
	// its own.
	check(o *predictOptions, m models.Manifest) error
	// checkDraws refuses joint draws of the functionals with these names.
	checkDraws(names []string) error
	// twice words the refusal of an output column that comes twice, by what TRAIN holds.
	twice(err *pfnamp.ColumnError, train, target string) error
	// promised are the columns of conformal predictions, and what they do.
	promised() (columns, hold string)
	// columns says how to read the columns of a functional, and those of other posteriors.
	columns(name, others string, q pfnamp.Question) string
	// wide says where credible intervals say little.
	wide(c *counters, q pfnamp.Question, layout pfnamp.Layout, asked asking) []string
	// scale is that of a computed column of numbers.
	scale(column string, q pfnamp.Question, layout pfnamp.Layout) scale
	// fill completes the row of a report or a figure.
	fill(r *report.Row, a *pfnamp.Answer, row int)
	// score compares an answer with the label of its row.
	score(s *evaluate.Labelled, sets *setScores, a *pfnamp.Answer, row int, label float64)
	// scores fills in the means of these scores.
	scores(r *scoresResult, s *evaluate.Labelled, sets *setScores)
	// scoresText says them in words.
	scoresText(r *scoresResult, c *counters) string
	// ranked refuses a model whose predictions no number ranks.
	ranked(m models.Manifest) error
	// functionals refuses --functional where it is given; who are the models, and what they do without
	// it.
	functionals(given bool, who, what string) error
	// asked are the functionals of a question that names some by default.
	asked(functionals []amp.Functional) []amp.Functional
	// model is a network as package evaluate wants it, for tables of so many classes.
	model(m *pfn.Model, classes int, values *amp.Support) evaluate.Model
	// trends are what members of an ensemble read, by the name of their trend.
	trends() map[string]string
	// mostClasses is the most classes of a target, 0 of numbers.
	mostClasses(m *models.Manifest) int
}

// asking is what a question is asked of.
type asking struct {
	manifest       models.Manifest
	rows, features int // of the context
}

// wordings are those of the tasks.
var wordings = map[string]wording{
	models.RegressionTask:     numberWords{},
	models.ClassificationTask: classWords{},
}

// words are those of the bundle's task.
func (j *contextJob) words() wording { return wordings[j.bundle.Manifest.Task] }
