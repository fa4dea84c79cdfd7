package run

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/folds"
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

// noteConformal says what conformal predictions promise: most where folds are at random, less where
// they are of groups or times, or where rows of TRAIN are weighted.
func (j *AskJob) noteConformal() {
	c, q, fit := j.Predictor.Conformal(), j.Predictor.Question(), j.From.Fit
	if c == nil {
		return
	}
	columns, hold := "pi_lo, pi_hi", "they contain a label"
	if j.Classes() {
		columns, hold = "set, set_size", "a set contains the label"
	}
	level, rows := report.Level(q.Level), words.Count(j.Fitted.Context().Rows(), "row")
	divided := func(how, given string) {
		j.Notef("%s: conformal, from %s %s, %s. If %s, about %s of the labels are inside, without a "+
			"guarantee", columns, words.Count(c.Folds(), "fold"), how, rows, given, level)
	}
	switch {
	case q.Shift != nil:
		j.Notef("%s: conformal, weighted for TEST: the %s of %s are worth %.0f. If TEST differs from "+
			"TRAIN only in its features, about %s of the labels are inside; the weights are "+
			"estimates, so there is no guarantee", columns, rows, j.From.Train, c.Effective(), level)
	case fit.Group != "":
		divided("of whole groups by "+fit.Group, "the groups of TEST and TRAIN are alike")
	case fit.Time != "":
		divided("in the order of "+fit.Time, "the future is like the past")
	default:
		by := ""
		if q.ConformalBy != "" {
			by = fmt.Sprintf(" in each of %s by %s,", words.Count(c.Groups(), "group"), q.ConformalBy)
		}
		j.Notef("%s: conformal, from %d folds of %s. If TRAIN and TEST are alike,%s %s with "+
			"probability at least %.3g, usually about %g", columns, c.Folds(), rows, by, hold,
			c.Guarantee(), q.Level)
	}
}

// RefuseDivision refuses divideFlags for a state.
func (o *Options) RefuseDivision(c *cli.Context) error {
	if !o.Saved {
		return nil
	}
	return Refuse(c, "needs the training table: a state keeps no groups or times",
		"name the training table instead of "+o.Train, "group", "time")
}

// Undivided words an error of dividing TRAIN; others stay as they are.
func (o *Options) Undivided(err error) error {
	if worded := divisionFailure(err, o.Train, cmp.Or(o.Fit.Group, o.Fit.Time)); worded != nil {
		return worded
	}
	return err
}

// divisionFailure words what a plan of folds cannot do with a table; nil for other errors.
func divisionFailure(err error, file, column string) error {
	wrong := &tabular.Error{File: file, Column: column}
	most, what := 0, ""
	if few, ok := errors.AsType[*folds.GroupsError](err); ok {
		wrong.Msg, most, what = few.Error(), few.Groups, "group"
	} else if few, ok := errors.AsType[*folds.TimesError](err); ok {
		wrong.Msg, most, what = few.Error(), few.Times-1, "time"
	} else {
		return nil
	}
	if wrong.Hint = fmt.Sprintf("use at most --folds %d", most); most < 2 {
		wrong.Hint = fmt.Sprintf("add rows of other %ss, or drop --%[1]s", what)
	}
	return wrong
}
