package run

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/pfnamp/pfnamp/folds"
	"github.com/pfnamp/pfnamp/tabular"
	"github.com/urfave/cli/v2"
)

// ParseDivision reads divideFlags.
func (o *Options) ParseDivision(c *cli.Context) error {
	o.Fit.Group, o.Fit.Time = OneColumn(c, "group"), OneColumn(c, "time")
	return nil
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
	if worded := DivisionFailure(err, o.Train, cmp.Or(o.Fit.Group, o.Fit.Time)); worded != nil {
		return worded
	}
	return err
}

// DivisionFailure words what a plan of folds cannot do with a table; nil for other errors.
func DivisionFailure(err error, file, column string) error {
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
