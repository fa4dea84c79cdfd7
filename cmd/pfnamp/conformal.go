package main

import (
	"errors"
	"fmt"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/tabular"
)

// conformalFailure words what conformal intervals cannot do with TRAIN; nil for other errors.
func conformalFailure(err error, train string) error {
	if small, ok := errors.AsType[*pfnamp.SmallTableError](err); ok {
		return &tabular.Error{File: train, Msg: small.Error(),
			Hint: "give more rows, a lower --level, or --predictive ppd"}
	}
	if errors.Is(err, pfnamp.ErrNoTable) {
		return &usageError{msg: "--predictive conformal: " + err.Error(),
			hint: "give the training table in place of the state, or --predictive ppd"}
	}
	return nil
}

// noteConformal says what conformal intervals promise.
func (j *predictJob) noteConformal() {
	c := j.predictor.Conformal()
	if c == nil {
		return
	}
	j.notef("pi_lo, pi_hi: conformal, from %d folds of %s; if TRAIN and TEST are alike, they hold a "+
		"label with probability at least %.3g, and usually about %g", c.Folds(),
		count(j.fitted.Context().Rows(), "row"), c.Guarantee(), j.opt.question.Level)
}

// conformalMetadata says how predictive intervals were made, where it is not by the distribution.
func conformalMetadata(q pfnamp.Question) [][2]string {
	if q.Predictive != pfnamp.ConformalInterval {
		return nil
	}
	return [][2]string{{"pfnamp.predictive", fmt.Sprintf("%s, %d folds", q.Predictive,
		pfnamp.DefaultFolds)}}
}
