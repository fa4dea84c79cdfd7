package main

import (
	"fmt"

	"github.com/pfnamp/pfnamp"
)

// subject is what the notes about predictions are about: a question that is asked of a table.
type subject struct {
	*contextJob        // whose notes they are
	test        string // the query table
	question    pfnamp.Question
	layout      pfnamp.Layout
	labels      *testLabels // of the query table
	labelled    bool        // the query table has the target's column
}

// noteConformal says what conformal intervals promise.
func (s subject) noteConformal() {
	c := s.labels.predictor.Conformal()
	if c == nil {
		return
	}
	columns, hold := s.words().promised()
	if s.noteShift(columns) || s.noteDivided(columns) {
		return
	}
	by := ""
	if q := s.question; q.ConformalBy != "" {
		by = fmt.Sprintf(" in every one of %s by %s,", count(c.Groups(), "group"), q.ConformalBy)
	}
	s.notef("%s: conformal, from %d folds of %s; if TRAIN and TEST are alike,%s %s with probability "+
		"at least %.3g, and usually about %g", columns, c.Folds(),
		count(s.fitted.Context().Rows(), "row"), by, hold, c.Guarantee(), s.question.Level)
}

// noteDivided says what predictions from folds of groups or times promise; false where folds are at
// random.
func (s subject) noteDivided(columns string) bool {
	c, fit := s.labels.predictor.Conformal(), s.from.fit
	how, given := "", ""
	switch {
	case fit.Group != "":
		how, given = "of whole groups by "+fit.Group, "the groups of TEST are like those of TRAIN"
	case fit.Time != "":
		how, given = "in the order of "+fit.Time, "the future is like the past"
	default:
		return false
	}
	s.notef("%s: conformal, from %s %s, %s; if %s, about %g %% of the labels are inside; this is no "+
		"proven bound", columns, count(c.Folds(), "fold"), how, count(s.fitted.Context().Rows(),
		"row"), given,
		100*s.question.Level)
	return true
}
