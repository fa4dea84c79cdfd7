package main

import (
	"fmt"
	"math"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
)

// scores compares predictions with the labels that TEST has itself. The zero value is empty.
type scores struct {
	rows   int              // with a label
	labels evaluate.Moments // of numbers
	square float64          // sum of squared errors of the mean
	crps   float64          // sum
	held   int              // labels inside their predictive intervals

	right, unseen int     // classes: most probable, and not among those of TRAIN
	logLoss       float64 // sum of -log of the probability of the label, in nats
	brier         float64 // sum over rows of the sum of squared errors of all probabilities
}

// add compares the rows of a batch; observed is NaN where there is no label.
func (s *scores) add(a *pfnamp.Answer, observed []float64) {
	for i, y := range observed {
		if math.IsNaN(y) {
			continue
		}
		s.rows++
		if a.Best != nil {
			s.addClass(a.Predictions[i].PPD.(amp.Classes), a.Best[i], int(y))
			continue
		}
		ppd := a.Predictions[i].PPD.(evaluate.PPD)
		s.labels.Add(y)
		s.square += (y - ppd.Mean()) * (y - ppd.Mean())
		s.crps += ppd.CRPS(y)
		if in := a.Predictive[i]; in.Lo <= y && y <= in.Hi {
			s.held++
		}
	}
}

// addClass compares the probabilities of classes with a label, negative if TRAIN lacks it.
func (s *scores) addClass(p amp.Classes, best, label int) {
	if best == label {
		s.right++
	}
	of := 0.0
	for k, share := range p {
		if k == label {
			of = share
			share = 1 - share
		}
		s.brier += share * share
	}
	if label < 0 {
		s.unseen++
		s.brier++
		return
	}
	s.logLoss -= math.Log(of)
}

// scoresResult is scores as --json shows them; numbers and classes have their own.
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

// result returns the means, nil where no row has a label.
func (s *scores) result(classes bool) *scoresResult {
	if s.rows == 0 {
		return nil
	}
	mean := func(sum float64, n int) *evaluate.Number {
		v := evaluate.Number(sum / float64(n))
		return &v
	}
	r := &scoresResult{Rows: s.rows, Unseen: s.unseen}
	if classes {
		r.Accuracy, r.Brier = mean(float64(s.right), s.rows), mean(s.brier, s.rows)
		r.LogLoss = mean(s.logLoss, s.rows-s.unseen)
		return r
	}
	r.RMSE, r.CRPS = mean(s.square, s.rows), mean(s.crps, s.rows)
	r.Coverage = mean(float64(s.held), s.rows)
	*r.RMSE = evaluate.Number(math.Sqrt(float64(*r.RMSE)))
	if spread := s.labels.SE(); spread > 0 {
		n := float64(s.rows)
		r.R2 = mean(spread*spread*n*(n-1)-s.square, 1)
		*r.R2 /= evaluate.Number(spread * spread * n * (n - 1))
	}
	return r
}

// noteScores says how well the labels of TEST were predicted.
func (j *predictJob) noteScores() {
	r := j.output.scores.result(j.schema.Labels != nil)
	if r == nil {
		if j.labelled {
			j.warnf("%s: column %q is the target, and no cell of it is a label to compare with",
				j.opt.test, j.schema.TargetName)
		}
		return
	}
	text := fmt.Sprintf("%s: %d of %s have %q, which the model has not read", j.opt.test, r.Rows,
		count(int(j.rows), "row"), j.schema.TargetName)
	if r.Accuracy != nil {
		text += fmt.Sprintf(": accuracy %.3g, log loss %.3g, Brier score %.3g", *r.Accuracy, *r.LogLoss,
			*r.Brier)
		if r.Unseen > 0 {
			text += fmt.Sprintf("; %s that %s lacks", count(r.Unseen, "label"), j.schema.File)
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
