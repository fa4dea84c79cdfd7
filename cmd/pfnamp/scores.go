package main

import (
	"fmt"
	"math"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/tabular"
)

// score compares the rows of a batch with the labels that TEST has itself, NaN where there is none, but
// for those that the model has read.
func score(
	s *evaluate.Labelled, sets *setScores, a *pfnamp.Answer, observed []float64, read []bool,
) {
	for i, y := range observed {
		switch {
		case math.IsNaN(y) || read[i]:
		case a.Best != nil:
			if a.Sets != nil {
				sets.add(a.Sets[i], y)
			}
			s.AddClass(a.Predictions[i].PPD.(amp.Classes), a.Best[i], int(y))
		default:
			ppd := a.Predictions[i].PPD.(evaluate.PPD)
			s.Add(y, ppd.Mean(), ppd.CRPS(y), evaluate.Interval(a.Predictive[i]))
		}
	}
}

// scoresResult is what was scored, as --json shows them; numbers and classes have their own.
type scoresResult struct {
	Rows     int              `json:"rows"`
	R2       *evaluate.Number `json:"r2,omitempty"` // 1 - squared error / squared distance from the mean label
	RMSE     *evaluate.Number `json:"rmse,omitempty"`
	CRPS     *evaluate.Number `json:"crps,omitempty"`
	Coverage *evaluate.Number `json:"coverage,omitempty"` // of the predictive intervals
	Accuracy *evaluate.Number `json:"accuracy,omitempty"`
	LogLoss  *evaluate.Number `json:"log_loss,omitempty"` // of labels that TRAIN has
	Brier    *evaluate.Number `json:"brier,omitempty"`
	Majority *evaluate.Number `json:"majority,omitempty"`     // accuracy of always the most frequent label
	SetCover *evaluate.Number `json:"set_coverage,omitempty"` // share of the sets that hold their label
	SetSize  *evaluate.Number `json:"set_size,omitempty"`     // labels of a set on average
	Unseen   int              `json:"unseen,omitempty"`       // labels that TRAIN has not
	Read     int              `json:"read,omitempty"`         // rows of TRAIN, which are not scored
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

// scored returns the means, nil where no row has a label; so many rows with a label are not scored, as
// the model has read them.
func scored(s *evaluate.Labelled, sets *setScores, read int, classes bool) *scoresResult {
	if s.Rows == 0 && read == 0 {
		return nil
	}
	number := func(v float64) *evaluate.Number { return (*evaluate.Number)(&v) }
	r := &scoresResult{Rows: s.Rows, Unseen: s.Unseen, Read: read}
	if s.Rows == 0 {
		return r
	}
	if classes {
		r.Accuracy, r.Brier, r.LogLoss = number(s.Accuracy()), number(s.Brier()), number(s.LogLoss())
		_, rows := s.Majority()
		r.Majority = number(float64(rows) / float64(s.Rows))
		if sets.rows > 0 {
			r.SetCover, r.SetSize = number(sets.coverage()), number(sets.size())
		}
		return r
	}
	r.RMSE, r.CRPS, r.Coverage = number(s.RMSE()), number(s.CRPS()), number(s.Coverage())
	if r2 := s.R2(); !math.IsNaN(r2) {
		r.R2 = number(r2)
	}
	return r
}

// noteScores says how well the labels of TEST were predicted.
func (j *predictJob) noteScores() {
	r := scored(&j.counts.scores, &j.counts.sets, j.counts.read, j.schema.Labels != nil)
	switch {
	case r == nil && j.labelled && j.counts.rows > 0:
		j.warnf("%s: column %q is the target, and no cell of it is a label to compare with",
			j.opt.test, j.schema.TargetName)
	case r == nil:
	case r.Rows == 0:
		j.notef("%s: all %s with %q are rows of %s, which the model has read: there is nothing to score; "+
			"`pfnamp evaluate` holds rows back", j.opt.test, count(r.Read, "row"), j.schema.TargetName,
			j.schema.File)
	case r.Accuracy != nil:
		j.notef("%s%s", j.scoredRows(r), j.classScores(r))
	default:
		j.notef("%s%s", j.scoredRows(r), numberScores(r, j.opt.question.Level))
	}
}

// scoredRows begins a sentence about scores: which rows they are of.
func (j *predictJob) scoredRows(r *scoresResult) string {
	text := fmt.Sprintf("%s: %d of %s have %q", j.opt.test, r.Rows, count(int(j.counts.rows), "row"),
		j.schema.TargetName)
	if j.fitted.TellsRows() {
		text += ", which the model has not read"
	}
	if r.Read > 0 {
		text += fmt.Sprintf(" (%d more are rows of %s)", r.Read, j.schema.File)
	}
	return text + ": "
}

// numberScores are the figures of numbers.
func numberScores(r *scoresResult, level float64) string {
	text := ""
	if r.R2 != nil {
		text = fmt.Sprintf("R² %.3g, ", *r.R2)
		if *r.R2 <= 0 {
			text = fmt.Sprintf("R² %.3g, no better than their mean for every row; ", *r.R2)
		}
	}
	return fmt.Sprintf("%sRMSE %.4g, CRPS %.4g; %.3g %% are inside their %g %% predictive intervals", text,
		*r.RMSE, *r.CRPS, 100**r.Coverage, 100*level)
}

// classScores are the figures of classes, beside what is right without a model.
func (j *predictJob) classScores(r *scoresResult) string {
	text := fmt.Sprintf("accuracy %.3g", *r.Accuracy)
	if class, _ := j.counts.scores.Majority(); class >= 0 {
		text += fmt.Sprintf(" (always %q: %.3g)", j.schema.Labels.Texts[class], *r.Majority)
	}
	if !math.IsNaN(float64(*r.LogLoss)) { // as it is where no label is known
		text += fmt.Sprintf(", log loss %.3g, Brier score %.3g", *r.LogLoss, *r.Brier)
	}
	if r.SetCover != nil {
		text += fmt.Sprintf("; %.3g %% are in their %g %% sets, of %.3g labels on average", 100**r.SetCover,
			100*j.opt.question.Level, *r.SetSize)
	}
	if r.Unseen > 0 {
		text += fmt.Sprintf("; %s that %s lacks, such as %q, counted as wrong and not in the log loss",
			count(r.Unseen, "label"), j.schema.File, j.counts.unseen)
	}
	if near := j.counts.near; near != "" {
		j.warnf("%s: label %q and that of %s, %q, differ by case or spaces only", j.opt.test,
			j.counts.unseen, j.schema.File, near)
	}
	return text
}
