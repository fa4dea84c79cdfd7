package main

import (
	"fmt"
	"math"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
)

// score compares the rows of a batch with the labels that TEST has itself, NaN where there is none.
func score(s *evaluate.Labelled, a *pfnamp.Answer, observed []float64) {
	for i, y := range observed {
		switch {
		case math.IsNaN(y):
		case a.Best != nil:
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
	Unseen   int              `json:"unseen,omitempty"` // labels that TRAIN has not
}

// scored returns the means, nil where no row has a label.
func scored(s *evaluate.Labelled, classes bool) *scoresResult {
	if s.Rows == 0 {
		return nil
	}
	number := func(v float64) *evaluate.Number { return (*evaluate.Number)(&v) }
	r := &scoresResult{Rows: s.Rows, Unseen: s.Unseen}
	if classes {
		r.Accuracy, r.Brier, r.LogLoss = number(s.Accuracy()), number(s.Brier()), number(s.LogLoss())
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
	r := scored(&j.output.scores, j.schema.Labels != nil)
	if r == nil {
		if j.labelled && j.rows > 0 {
			j.warnf("%s: column %q is the target, and no cell of it is a label to compare with",
				j.opt.test, j.schema.TargetName)
		}
		return
	}
	text := fmt.Sprintf("%s: %d of %s have %q, which the model has not read", j.opt.test, r.Rows,
		count(int(j.rows), "row"), j.schema.TargetName)
	if r.Accuracy != nil {
		text += fmt.Sprintf(": accuracy %.3g", *r.Accuracy)
		if !math.IsNaN(float64(*r.LogLoss)) { // as it is where no label is known
			text += fmt.Sprintf(", log loss %.3g, Brier score %.3g", *r.LogLoss, *r.Brier)
		}
		if r.Unseen > 0 {
			text += fmt.Sprintf("; %s that %s lacks, such as %q, counted as wrong and not in the log loss",
				count(r.Unseen, "label"), j.schema.File, j.output.unseen)
		}
		if near := j.output.near; near != "" {
			j.warnf("%s: label %q and that of %s, %q, differ by case or spaces only", j.opt.test,
				j.output.unseen, j.schema.File, near)
		}
		j.notef("%s", text)
		return
	}
	text += ": "
	if r.R2 != nil {
		text += fmt.Sprintf("R² %.3g, ", *r.R2)
	}
	j.notef("%sRMSE %.4g, CRPS %.4g; %.3g %% are inside their %g %% predictive intervals", text,
		*r.RMSE, *r.CRPS, 100**r.Coverage, 100*j.opt.question.Level)
}
