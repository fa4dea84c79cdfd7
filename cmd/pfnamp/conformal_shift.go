package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/check"
	"github.com/pfnamp/pfnamp/drift"
	"github.com/pfnamp/pfnamp/tabular"
)

// shiftWeights is the only value of --weights.
const shiftWeights = "shift"

// weightsFlag weights the rows of TRAIN.
func weightsFlag(category string) cli.Flag {
	return &cli.StringFlag{Name: "weights", Category: category,
		Usage: "`shift`: in conformal predictions, rows of TRAIN that look like TEST count more"}
}

// parseWeights reads --weights.
func (o *predictOptions) parseWeights(c *cli.Context) error {
	switch {
	case !c.IsSet("weights"):
		return nil
	case c.String("weights") != shiftWeights:
		return &usageError{msg: "--weights " + quote(c.String("weights")) + " is not shift",
			hint: "--weights shift"}
	case o.question.Predictive != pfnamp.ConformalInterval:
		return &usageError{msg: "--weights is about conformal predictions",
			hint: "add --predictive conformal, or drop it"}
	case o.question.ConformalBy != "":
		return &usageError{msg: "--weights and --conformal-by do not go together",
			hint: "drop one of the two"}
	case o.tests != nil || o.test == "-" || o.one:
		return &usageError{msg: "--weights reads TEST before it predicts it, so TEST is one file",
			hint: "name one table, not standard input"}
	}
	o.weighted = true
	return nil
}

// weigh reads TEST and estimates the weights of the rows of TRAIN.
func (j *predictJob) weigh(ctx context.Context) error {
	if !j.opt.weighted {
		return nil
	}
	read := j.from.read
	read.MaxRows = 0
	table, err := unlessStopped(ctx, func() (*tabular.Table, error) {
		return tabular.ReadAll(ctx, j.opt.test, read)
	}, nil)
	if err != nil {
		return err
	}
	batch, err := check.Read(j.schema, table)
	if err != nil {
		return err
	}
	data := j.training.Data
	j.opt.question.Shift, err = drift.Weigh(data.X, batch.X, data.Categorical, j.opt.question.Seed)
	if few := (*drift.RowsError)(nil); errors.As(err, &few) {
		return &tabular.Error{File: j.opt.test,
			Msg: fmt.Sprintf("--weights shift needs at least %d rows in TRAIN and TEST, and there are %d "+
				"and %d", drift.LeastRows, few.Context, few.Batch),
			Hint: "predict more rows at once, or drop --weights"}
	}
	return err
}

// noteShift says what weighted predictions promise; false where rows count equally.
func (j *askJob) noteShift(columns string) bool {
	c := j.predictor.Conformal()
	if j.predictor.Question().Shift == nil {
		return false
	}
	j.notef("%s: conformal, weighted for TEST: the %s of %s are worth %.0f like these; if TEST "+
		"differs from TRAIN in its features only, about %g %% of the labels are inside; the weights "+
		"are estimates, so this is no proven bound",
		columns, count(j.fitted.Context().Rows(), "row"), j.from.train, c.Effective(),
		100*j.opt.question.Level)
	return true
}
