package predict

import (
	"context"
	"math"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/report"
)

// counters is the sink of what notes and the result tell of the rows.
type counters struct {
	job  *predictJob
	rows int64
	run.ToldCells
	newGroups int // rows of conformal groups that TRAIN lacks
	fellBack  int // rows that chains have answered, of the posterior auto
	// sums over rows: width of the interval in those of predictive ones, by functional
	widths []float64
	// rows whose point estimate is outside an interval, by posterior and functional
	outside [][]int
	odd     map[string]int // cells outside the range of TRAIN, by column
	known   int            // rows that the model has read

	averages []report.Average // of rows together, once all are known

	scores       evaluate.Labelled // against the labels of TEST
	sets         setScores         // likewise
	read         int               // rows with a label that the model has read, which are not scored
	unseen, near string            // the first label that TRAIN lacks, and which one it may stand for
}

// Add takes rows into account.
func (c *counters) Add(_ context.Context, a answered) error {
	if c.odd == nil {
		c.odd = map[string]int{}
	}
	for column, n := range a.Outside {
		c.odd[column] += n
	}
	c.rows += int64(a.rows())
	c.ToldCells.Add(a.Answer)
	c.fellBack += a.FellBack
	c.newGroups += a.NewGroups
	c.known += a.Known
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
	if c.scores.Unseen > 0 && c.unseen == "" {
		c.unseen, c.near = c.job.Schema.UnseenLabel(a.Batch)
	}
	return nil
}

// Finish says what was noticed. The counters are the last sink, as others may have notes too.
func (c *counters) Finish(context.Context) error {
	c.noteAnswers()
	return c.job.Predictor.RefuseNew(c.job.test, int(c.rows), c.Cells)
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
