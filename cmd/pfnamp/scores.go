package main

import (
	"math"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/tabular"
)

// score compares the rows of a batch with the labels that TEST has itself, NaN where there is none,
// but for those that the model has read.
func (c *counters) score(a *pfnamp.Answer, observed []float64, read []bool) {
	for i, y := range observed {
		if !math.IsNaN(y) && !read[i] {
			c.words().score(&c.scores, &c.sets, a, i, y)
		}
	}
}

// scoresResult is what was scored, as --json shows them; numbers and classes have their own.
type scoresResult struct {
	Rows int `json:"rows"`
	// 1 - squared error / squared distance from the mean label
	R2       *evaluate.Number `json:"r2,omitempty"`
	RMSE     *evaluate.Number `json:"rmse,omitempty"`
	CRPS     *evaluate.Number `json:"crps,omitempty"`
	Coverage *evaluate.Number `json:"coverage,omitempty"` // of the predictive intervals
	Accuracy *evaluate.Number `json:"accuracy,omitempty"`
	LogLoss  *evaluate.Number `json:"log_loss,omitempty"` // of labels that TRAIN has
	Brier    *evaluate.Number `json:"brier,omitempty"`
	// accuracy of always the most frequent label
	Majority *evaluate.Number `json:"majority,omitempty"`
	// share of the sets that hold their label
	SetCover *evaluate.Number `json:"set_coverage,omitempty"`
	SetSize  *evaluate.Number `json:"set_size,omitempty"` // labels of a set on average
	Unseen   int              `json:"unseen,omitempty"`   // labels that TRAIN has not
	Read     int              `json:"read,omitempty"`     // rows of TRAIN, which are not scored
}

// testLabels reads the labels that TEST has itself.
type testLabels struct {
	learned   *tabular.Schema
	predictor *pfnamp.Predictor // once rows are predicted
}

// of returns the labels of a batch, NaN where there is none, and which of them the model has read.
func (l *testLabels) of(batch *tabular.Batch, a *pfnamp.Answer) (labels []float64, read []bool) {
	labels = l.learned.Observed(batch)
	read = make([]bool, len(labels))
	for i, y := range labels {
		read[i] = !math.IsNaN(y) && l.predictor.Read(a, i, y)
	}
	return labels, read
}

// scored returns the means, nil where no row has a label.
func (c *counters) scored() *scoresResult {
	if c.scores.Rows == 0 && c.read == 0 {
		return nil
	}
	r := &scoresResult{Rows: c.scores.Rows, Unseen: c.scores.Unseen, Read: c.read}
	if c.scores.Rows > 0 {
		c.words().scores(r, &c.scores, &c.sets)
	}
	return r
}

// figure is a score as a result has it.
func figure(v float64) *evaluate.Number { return (*evaluate.Number)(&v) }
