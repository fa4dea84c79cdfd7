package main

import (
	"fmt"

	"github.com/pfnamp/pfnamp"
)

// noteAnswers says what was noticed in the rows and in their answers.
func (c *counters) noteAnswers() {
	c.notes = append(c.notes, c.late()...)
	c.toldCells.note(c.contextJob, c.test)
	c.noteOddRows()
	c.noteNewGroups()
	if n := c.fellBack; n > 0 {
		c.warnf("%s: the network's two outputs contradict each other, so pfnamp uses chains there "+
			"(--posterior paper)", count(n, "row"))
	}
	c.noteOutside()
	c.noteWidths()
}

// noteOutside says where a point estimate lies outside a credible interval, however few rows these
// are.
func (c *counters) noteOutside() {
	q := c.question
	for k, under := range c.outside {
		of := ""
		if k > 0 {
			of = fmt.Sprintf(" of posterior %s", q.Posteriors[k])
		}
		for f, n := range under {
			if n > 0 {
				c.warnf("%s: the point estimate is outside its credible interval%s in %d of %s: %s",
					c.layout.Names[f], of, n, count(int(c.rows), "row"), whyOutside(q, q.Posteriors[k]))
			}
		}
	}
}

// noteWidths says where credible intervals say little that the predictive ones do not, and what
// does.
func (c *counters) noteWidths() {
	q := c.question
	if !q.Posteriors[0].Chained() || c.rows == 0 {
		return
	}
	asked := asking{c.bundle.Manifest, c.fitted.Context().Rows(), c.schema.Width()}
	for _, note := range c.words().wide(c, q, c.layout, asked) {
		c.warnf("%s", note)
	}
}

// noteOddRows says what is odd about the rows of TEST.
func (c *counters) noteOddRows() {
	for _, warning := range c.labels.predictor.Odd(c.odd.outside, c.odd.known,
		int(c.rows)) {
		c.warnf("%s: %s", c.test, warning)
	}
}

// noteNewGroups says how many rows are of groups that TRAIN lacks.
func (c *counters) noteNewGroups() {
	if n := c.newGroups; n > 0 {
		c.warnf("%s: %s with a value of %q that %s lacks: their coverage is not guaranteed. Add rows "+
			"with these values to %[4]s", c.test, count(n, "row"),
			c.question.ConformalBy, c.from.train)
	}
}

// noteScores says how well the labels of TEST were predicted.
func (c *counters) noteScores() {
	r := c.scored()
	switch {
	case r == nil && c.labelled && c.rows > 0:
		c.warnf("%s: column %q, the target, holds no label, so pfnamp cannot score the predictions",
			c.test, c.schema.TargetName)
	case r == nil:
	case r.Rows == 0:
		c.notef("%s: all %s with %q are rows of %s, which the model has read, so pfnamp cannot score "+
			"them. `pfnamp evaluate` scores rows that the model has not read", c.test, count(r.Read,
			"row"), c.schema.TargetName,
			c.schema.File)
	default:
		c.notef("%s%s", c.scoredRows(r), c.words().scoresText(r, c))
	}
}

// scoredRows begins a sentence about scores: which rows they are of.
func (c *counters) scoredRows(r *scoresResult) string {
	text := fmt.Sprintf("%s: %d of %s have %q", c.test, r.Rows, count(int(c.rows), "row"),
		c.schema.TargetName)
	if c.fitted.TellsRows() {
		text += ", which the model has not read"
	}
	if r.Read > 0 {
		text += fmt.Sprintf(" (%d more are rows of %s)", r.Read, c.schema.File)
	}
	return text + ": "
}

// whyOutside says how a credible interval can exclude its point estimate.
func whyOutside(q pfnamp.Question, p pfnamp.Posterior) string {
	if p.Own() {
		return "the posterior is skewed there, or the network's two outputs disagree. The interval is " +
			"widened to hold it"
	}
	return fmt.Sprintf("%d chains of %d steps are too few for a value so extreme. The interval is "+
		"widened to hold it", q.Chains, q.Steps)
}
