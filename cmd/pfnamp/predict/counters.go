package predict

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"time"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/warning"
)

// counters is the sink of what notes and the result tell of the rows.
type counters struct {
	job  *predictJob
	rows int64
	warning.Tally
	// sums over rows: width of the interval in those of predictive ones, by functional
	widths []float64
	// rows whose point estimate is outside an interval, by posterior and functional
	outside [][]int

	averages []report.Average // of rows together, once all are known

	scores evaluate.Labelled // against the labels of TEST
	sets   setScores         // likewise
	read   int               // rows with a label that the model has read, which are not scored
	odd    [3]string         // labels, see tabular.Schema.OddLabels
}

// Add takes rows into account.
func (c *counters) Add(_ context.Context, a answered) error {
	c.rows += int64(a.rows())
	c.Tally.Add(a.Tally)
	c.countWidths(a.Answer)
	c.countOutside(a.Answer)
	for i, y := range a.labels {
		switch {
		case a.read[i]:
			c.read++
		case !math.IsNaN(y):
			c.score(a, i, y)
		}
	}
	for i, text := range c.job.Schema.OddLabels(a.Batch, a.labels) {
		c.odd[i] = cmp.Or(c.odd[i], text)
	}
	return nil
}

// Finish says what was noticed. The counters are the last sink, as others may have notes too.
func (c *counters) Finish(context.Context) error {
	c.noteAnswers()
	return c.job.Predictor.RefuseNew(c.job.test, c.Tally)
}

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

// noteAnswers says what was noticed in the rows and in their answers.
func (c *counters) noteAnswers() {
	j, test := c.job, c.job.test
	j.NoteRows(j.Predictor, test, c.Tally, j.queries.Notes()[j.queries.noted:]...)
	if n := c.NewGroups; n > 0 {
		j.Warnf("%s: %s with a value of %q that %s lacks: their coverage is not guaranteed. Add rows "+
			"with these values to %[4]s", test, words.Count(n, "row"), j.Question.ConformalBy, j.From.Train)
	}
	if n := c.FellBack; n > 0 {
		j.Warnf("%s: the credible interval does not fit the predicted distribution, so pfnamp "+
			"simulates the interval there (--posterior paper)", words.Count(n, "row"))
	}
	c.noteOutside()
	c.noteWidths()
}

// noteOutside says where a point estimate lies outside a credible interval, however few rows these
// are.
func (c *counters) noteOutside() {
	q := c.job.Question
	for k, under := range c.outside {
		of := ""
		if k > 0 {
			of = fmt.Sprintf(" of posterior %s", q.Posteriors[k])
		}
		for f, n := range under {
			if n > 0 {
				c.job.Warnf("%s: the point estimate is outside its credible interval%s in %d of %s: %s",
					c.job.Layout.Names[f], of, n, words.Count(int(c.rows), "row"), whyOutside(q, q.Posteriors[k]))
			}
		}
	}
}

// noteWidths says where credible intervals say little that the predictive ones do not, and what
// does: those of functionals in the unit of the target, or of the most probable class.
func (c *counters) noteWidths() {
	const wide, little = 0.9, 0.8 // share of a predictive interval's width; probability
	j, q := c.job, c.job.Question
	if !q.Posteriors[0].Chained() || c.rows == 0 {
		return
	}
	mean := func(f int) float64 { return c.widths[f] / float64(c.rows) }
	if j.Classes() {
		if mean(0) > little {
			j.Warnf("the credible interval of the most probable class's probability is %.2f wide on "+
				"average, so it says little: with %s and %s the chains take large steps; --posterior auto "+
				"draws none", mean(0), words.Count(j.Fitted.Context().Rows(), "row"),
				words.Count(j.Schema.Width(), "feature"))
		}
		return
	}
	for i, f := range q.Functionals {
		if share := mean(i); f.Unit() == amp.TargetUnit && share > wide {
			j.Warnf("%s: its credible interval is on average %.2f times as wide as the predictive "+
				"interval, so it says little more; --posterior auto draws no chains", j.Layout.Names[i],
				share)
		}
	}
}

func whyOutside(q pfnamp.Question, p pfnamp.Posterior) string {
	if p.Own() {
		return "the posterior is skewed there, or the network's two outputs disagree. The interval is " +
			"widened to hold it"
	}
	return fmt.Sprintf("%d chains of %d steps are too few for a value so extreme. The interval is "+
		"widened to hold it", q.Chains, q.Steps)
}

// noteSummary says what was done and, below a table on a terminal, how to read its columns.
func (j *predictJob) noteSummary() {
	q := j.Question
	contrasts := j.counts.averages[max(0, len(j.counts.averages)-len(j.joint.contrasts)):]
	for _, text := range j.Asked().Sentences(contrasts) {
		j.Notef("%s", text)
	}
	j.Notef("%s in %.2f s -> %s", words.Count(int(j.counts.rows), "row"),
		time.Since(j.Start).Seconds(), output.Named(j.to.Written()))
	if !j.to.OnScreen() {
		return
	}
	name, more := j.nameOf(j.Layout.Names[0]), ""
	for _, other := range q.Posteriors[1:] {
		more += fmt.Sprintf("; *_%[1]s_lo, *_%[1]s_hi: %[1]s posterior", other)
	}
	level := report.Level(q.Level)
	first, of := "", "the functional"
	if j.Classes() {
		first, of = "class: the most probable class; ", "a class's probability"
	} else {
		more += fmt.Sprintf("; pi_lo, pi_hi: %s predictive interval of a label", level)
	}
	if q.Label != nil {
		more += fmt.Sprintf("; ppd_*: the predictive distribution of a label, as %s",
			j.nameOf(fmt.Sprintf("ppd_%s", q.Label[0])))
	}
	j.Notef("%s*_lo, *_hi (such as %s_lo, %s_hi): %s credible interval of %s, %s posterior%s", first,
		name, name, level, of, q.Posteriors[0], more)
}
