package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/heldout"
	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/tabular"
)

// conformalFailure words what conformal intervals cannot do with TRAIN; nil for other errors.
func conformalFailure(err error, train string) error {
	if small, ok := errors.AsType[*heldout.SmallTableError](err); ok {
		return &tabular.Error{File: train, Msg: small.Error(),
			Hint: "add rows, lower --level, or use --predictive ppd"}
	}
	if small, ok := errors.AsType[*heldout.SmallGroupsError](err); ok {
		return &tabular.Error{File: train, Msg: small.Error(),
			Hint: "add rows of these groups, lower --level, or drop --conformal-by"}
	}
	if errors.Is(err, pfnamp.ErrNoTable) {
		return fault.Option("predictive", "conformal: "+err.Error(),
			"name the training table instead of the state, or use --predictive ppd")
	}
	if shift, ok := errors.AsType[*heldout.ShiftError](err); ok {
		return &tabular.Error{File: train, Msg: shift.Error(),
			Hint: "add rows that look like TEST, lower --level, or drop --weights"}
	}
	return divisionFailure(err, train, "")
}

// setScores compares sets with the labels that TEST has itself.
type setScores struct {
	rows, held, labels int // scored rows, rows whose set has the label, labels in all sets
}

// add counts the set of a row with a label; labels that TRAIN lacks are in no set.
func (s *setScores) add(set []int, label float64) {
	s.rows++
	s.labels += len(set)
	if slices.Contains(set, int(label)) {
		s.held++
	}
}

// coverage is the share of the sets that hold their label.
func (s *setScores) coverage() float64 { return float64(s.held) / float64(s.rows) }

// size is how many labels a set has on average.
func (s *setScores) size() float64 { return float64(s.labels) / float64(s.rows) }

// conformalMetadata says how predictive intervals were made, where it is not by the distribution.
func conformalMetadata(q pfnamp.Question, fit pfnamp.FitOptions) [][2]string {
	if q.Predictive != pfnamp.ConformalInterval {
		return nil
	}
	made := fmt.Sprintf("%s, %d folds", q.Predictive, pfnamp.DefaultFolds)
	if q.ConformalBy != "" {
		made += ", by " + q.ConformalBy
	}
	if q.Shift != nil {
		made += ", weighted for TEST"
	}
	switch {
	case fit.Group != "":
		made += ", groups of " + fit.Group
	case fit.Time != "":
		made += ", in the order of " + fit.Time
	}
	return [][2]string{{"pfnamp.predictive", made}}
}

// noteConformal says what conformal intervals promise.
func (j *askJob) noteConformal() {
	c := j.predictor.Conformal()
	if c == nil {
		return
	}
	columns, hold := j.words().promised()
	if j.noteShift(columns) || j.noteDivided(columns) {
		return
	}
	by := ""
	if q := j.opt.question; q.ConformalBy != "" {
		by = fmt.Sprintf(" in each of %s by %s,", count(c.Groups(), "group"), q.ConformalBy)
	}
	j.notef("%s: conformal, from %d folds of %s. If TRAIN and TEST are alike,%s %s with probability "+
		"at least %.3g, usually about %g", columns, c.Folds(),
		count(j.fitted.Context().Rows(), "row"), by, hold, c.Guarantee(), j.opt.question.Level)
}

// noteDivided says what predictions from folds of groups or times promise; false where folds are at
// random.
func (j *askJob) noteDivided(columns string) bool {
	c, fit := j.predictor.Conformal(), j.from.fit
	how, given := "", ""
	switch {
	case fit.Group != "":
		how, given = "of whole groups by "+fit.Group, "the groups of TEST and TRAIN are alike"
	case fit.Time != "":
		how, given = "in the order of "+fit.Time, "the future is like the past"
	default:
		return false
	}
	j.notef("%s: conformal, from %s %s, %s. If %s, about %s of the labels are inside, without a "+
		"guarantee", columns, count(c.Folds(), "fold"), how, count(j.fitted.Context().Rows(), "row"),
		given, report.Level(j.opt.question.Level))
	return true
}
