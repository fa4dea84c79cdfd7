package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/check"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/drift"
	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/tabular"
)

// shiftWeights is the only value of --weights.
const shiftWeights = "shift"

// parseWeights reads --weights.
func (o *predictOptions) parseWeights(c *cli.Context) error {
	switch {
	case !c.IsSet("weights"):
		return nil
	case c.String("weights") != shiftWeights:
		return notOneOf("--weights", c.String("weights"), shiftWeights)
	case o.question.Predictive != pfnamp.ConformalInterval:
		return needs(c, "--predictive conformal", "weights")
	case o.question.ConformalBy != "":
		return conflict("--weights", "--conformal-by")
	case o.tests != nil || o.test == "-" || o.one:
		return fault.Option("weights", "reads TEST twice, so TEST must be one file",
			"name one file, not standard input")
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
	read.MaxRows, read.Names = 0, j.schema.FeatureNames()
	table, err := stdio.UnlessStopped(ctx, func() (*tabular.Table, error) {
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
			Msg: fmt.Sprintf("--weights shift needs at least %d rows in TRAIN and in TEST; they have %d "+
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
	j.notef("%s: conformal, weighted for TEST: the %s of %s count like %.0f. If TEST differs from "+
		"TRAIN only in its features, about %s of the labels are inside; the weights are "+
		"estimates, so there is no guarantee",
		columns, count(j.fitted.Context().Rows(), "row"), j.from.train, c.Effective(),
		report.Level(j.opt.question.Level))
	return true
}
