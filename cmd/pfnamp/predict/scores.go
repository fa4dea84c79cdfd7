package predict

import (
	"fmt"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/report"
)

func (c *counters) score(a answered, row int, label float64) {
	if !c.job.Classes() {
		ppd := a.Predictions[row].PPD.(evaluate.PPD)
		c.scores.Add(label, ppd.Mean(), ppd.CRPS(label), evaluate.Interval(a.Predictive[row]))
		return
	}
	if a.Sets != nil { // labels that TRAIN lacks are in no set
		set := a.Sets[row]
		c.sets.rows, c.sets.labels = c.sets.rows+1, c.sets.labels+len(set)
		if slices.Contains(set, int(label)) {
			c.sets.held++
		}
	}
	c.scores.AddClass(a.Predictions[row].PPD.(distr.Classes), a.Best[row], int(label))
}

// setScores compares sets with the labels that TEST has itself.
type setScores struct {
	rows, held, labels int // scored rows, rows whose set has the label, labels in all sets
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

// scored returns the means, nil where no row has a label.
func (c *counters) scored() *scoresResult {
	if c.scores.Rows == 0 && c.read == 0 {
		return nil
	}
	s := &c.scores
	r := &scoresResult{Rows: s.Rows, Unseen: s.Unseen, Read: c.read}
	switch {
	case s.Rows == 0:
	case c.job.Classes():
		r.Accuracy, r.Brier, r.LogLoss = figure(s.Accuracy()), figure(s.Brier()), figure(s.LogLoss())
		_, rows := s.Majority()
		r.Majority = figure(float64(rows) / float64(s.Rows))
		if n := float64(c.sets.rows); n > 0 {
			r.SetCover, r.SetSize = figure(float64(c.sets.held)/n), figure(float64(c.sets.labels)/n)
		}
	default:
		r.RMSE, r.CRPS, r.Coverage = figure(s.RMSE()), figure(s.CRPS()), figure(s.Coverage())
		if r2 := s.R2(); !math.IsNaN(r2) {
			r.R2 = figure(r2)
		}
	}
	return r
}

// figure is a score as a result has it.
func figure(v float64) *evaluate.Number { return (*evaluate.Number)(&v) }

// noteScores says how well the labels of TEST were predicted.
func (c *counters) noteScores() {
	r := c.scored()
	switch {
	case r == nil && c.job.queries.labelled && c.rows > 0:
		c.job.Warnf("%s: column %q, the target, holds no label, so pfnamp cannot score the predictions",
			c.job.test, c.job.Schema.TargetName)
	case r == nil:
	case r.Rows == 0:
		c.job.Notef("%s", c.job.About(c.job.test, fmt.Sprintf("all %s with %q are rows of %s, which the "+
			"model has read, so pfnamp cannot score them. `pfnamp evaluate` scores rows that the model "+
			"has not read", words.Count(r.Read, "row"), c.job.Schema.TargetName, c.job.Schema.File)))
	default:
		c.job.Notef("%s%s", c.scoredRows(r), c.scoresText(r))
	}
}

// scoredRows begins a sentence about scores: which rows they are of.
func (c *counters) scoredRows(r *scoresResult) string {
	text := fmt.Sprintf("%s: %d of %s have %q", c.job.test, r.Rows, words.Count(int(c.rows), "row"),
		c.job.Schema.TargetName)
	if c.job.Fitted.TellsRows() {
		text += ", which the model has not read"
	}
	if r.Read > 0 {
		text += fmt.Sprintf(" (labels in rows of %s: %d)", c.job.Schema.File, r.Read)
	}
	return text + ": "
}

func (c *counters) scoresText(r *scoresResult) string {
	level := report.Level(c.job.Question.Level)
	if c.job.Classes() {
		return c.classScores(r, level)
	}
	text := ""
	if r.R2 != nil {
		text = fmt.Sprintf("R² %.3g, ", *r.R2)
		if *r.R2 <= 0 {
			text = fmt.Sprintf("R² %.3g, no better than predicting their mean; ", *r.R2)
		}
	}
	return fmt.Sprintf("%sRMSE %.4g, CRPS %.4g; %.3g %% are inside their %s predictive intervals %s",
		text, *r.RMSE, *r.CRPS, 100**r.Coverage, level,
		report.Coverage(c.scores.Held, r.Rows, c.job.Question.Level))
}

// classScores says those of classes, beside what is right without a model.
func (c *counters) classScores(r *scoresResult, level string) string {
	schema := c.job.Schema
	text := fmt.Sprintf("accuracy %.3g", *r.Accuracy)
	if class, _ := c.scores.Majority(); class >= 0 {
		text += fmt.Sprintf(" (always %q: %.3g)", schema.Labels.Texts[class], *r.Majority)
	}
	if !math.IsNaN(float64(*r.LogLoss)) { // as it is where no label is known
		text += fmt.Sprintf(", log loss %.3g, Brier score %.3g", *r.LogLoss, *r.Brier)
	}
	if r.SetCover != nil {
		text += fmt.Sprintf("; %.3g %% are in their %s sets, which hold %.3g labels on average",
			100**r.SetCover, level, *r.SetSize)
	}
	if r.Unseen > 0 {
		text += fmt.Sprintf("; %s not in %s, such as %q: counted as wrong, left out of the log loss",
			words.Count(r.Unseen, "label"), schema.File, c.odd[0])
	}
	if c.odd[1] != "" {
		c.job.Warnf("%s: the label %q is read as %q of %s", c.job.test, c.odd[1], c.odd[2], schema.File)
	}
	return text
}
