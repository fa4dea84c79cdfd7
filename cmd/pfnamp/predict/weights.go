package predict

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/check"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/drift"
	"github.com/pfnamp/pfnamp/tabular"
)

// parseWeights reads --weights.
func (j *predictJob) parseWeights(c *cli.Context) error {
	if !c.IsSet("weights") {
		return nil
	}
	if j.tests != nil || j.test == "-" || j.From.One {
		return fault.Option("weights", "reads TEST twice, so TEST must be one file",
			"name one file, not standard input")
	}
	j.weighted = true
	return nil
}

// weigh reads TEST and estimates the weights of the rows of TRAIN.
func (j *predictJob) weigh(ctx context.Context) error {
	if !j.weighted {
		return nil
	}
	read := j.From.Read
	read.MaxRows, read.Names = 0, j.Schema.FeatureNames()
	table, err := j.ReadTable(ctx, j.test, read)
	if err != nil {
		return err
	}
	batch, err := check.Read(j.Schema, table)
	if err != nil {
		return err
	}
	data := j.Training.Data
	j.Question.Shift, err = drift.Weigh(data.X, batch.X, data.Categorical, j.Question.Seed)
	if few := (*drift.RowsError)(nil); errors.As(err, &few) {
		return &tabular.Error{File: j.test,
			Msg: fmt.Sprintf("--weights shift needs at least %d rows in TRAIN and in TEST; they have %d "+
				"and %d", drift.LeastRows, few.Context, few.Batch),
			Hint: "predict more rows at once, or drop --weights"}
	}
	return err
}
