package main

import (
	"context"
	"slices"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/tabular"
	"github.com/pfnamp/pfnamp/warning"
)

// counters is the sink of what notes and the result tell of the rows.
type counters struct {
	subject
	late func() []string // notes on the query table that came while it was read

	rows int64
	toldCells
	newGroups int // rows of conformal groups that TRAIN lacks
	fellBack  int // rows that chains have answered, of the posterior auto
	// sums over rows: width of the interval in those of predictive ones, by functional
	widths []float64
	// rows whose point estimate is outside an interval, by posterior and functional
	outside [][]int
	odd     oddRows

	averages []report.Average // of rows together, once all are known

	scores       evaluate.Labelled // against the labels of TEST
	sets         setScores         // likewise
	read         int               // rows with a label that the model has read, which are not scored
	unseen, near string            // the first label that TRAIN lacks, and which one it may stand for
}

// toldCells is what is odd about the cells of a query table.
type toldCells struct {
	cells []warning.Warning
	notes []string
}

// add takes what an answer tells of further rows.
func (t *toldCells) add(a *pfnamp.Answer) {
	t.cells = warning.Add(t.cells, a.Warnings)
	for _, note := range a.Notes {
		if !slices.Contains(t.notes, note) {
			t.notes = append(t.notes, note)
		}
	}
}

// note writes the notes on a query table.
func (t *toldCells) note(j *contextJob, file string) {
	for _, note := range t.notes {
		j.warnf("%s: %s", file, note)
	}
	for _, w := range t.cells {
		j.warnf("%s", w)
	}
}

// Add implements sink.
func (c *counters) Add(_ context.Context, batch *tabular.Batch, a *pfnamp.Answer) error {
	c.rows += int64(a.Rows())
	c.toldCells.add(a)
	c.fellBack += a.FellBack
	c.newGroups += a.NewGroups
	c.odd.add(a)
	c.countWidths(a)
	c.countOutside(a)
	labels, read := c.labels.of(batch, a)
	c.score(a, labels, read)
	for _, known := range read {
		if known {
			c.read++
		}
	}
	if c.scores.Unseen > 0 && c.unseen == "" {
		c.unseen, c.near = c.labels.learned.UnseenLabel(batch)
	}
	return nil
}

// Finish implements sink: it says what was noticed. It is the last sink, as others may have notes
// too.
func (c *counters) Finish(context.Context) ([]finisher, error) {
	c.noteAnswers()
	return nil, c.labels.predictor.RefuseNew(c.test, int(c.rows), c.cells)
}

// Discard implements sink.
func (c *counters) Discard() {}

// countWidths compares credible intervals with predictive ones, where these are not points. Of
// classes it adds up those of the most probable ones.
func (c *counters) countWidths(a *pfnamp.Answer) {
	all := a.Posteriors[0].Estimates
	if c.widths == nil {
		c.widths = make([]float64, len(all))
	}
	for row, best := range a.Best {
		e := all[best][row]
		c.widths[0] += e.Hi - e.Lo
	}
	for i, estimates := range all {
		for row, label := range a.Predictive {
			if width := label.Hi - label.Lo; width > 0 {
				c.widths[i] += (estimates[row].Hi - estimates[row].Lo) / width
			}
		}
	}
}

// countOutside compares the point estimates with the intervals of every posterior.
func (c *counters) countOutside(a *pfnamp.Answer) {
	points := a.Posteriors[0].Estimates
	for k, under := range a.Posteriors {
		if len(c.outside) == k {
			c.outside = append(c.outside, make([]int, len(points)))
		}
		for f, estimates := range under.Estimates {
			for row, e := range estimates {
				if e.Holding(points[f][row].Point).Widened {
					c.outside[k][f]++
				}
			}
		}
	}
}
