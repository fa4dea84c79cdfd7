package predict

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/check"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/conditions"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/drift"
	"github.com/pfnamp/pfnamp/tabular"
)

// checkSink keeps the rows of TEST and compares them with the context at the end.
type checkSink struct {
	job        *predictJob
	conditions []conditions.Condition
	batch      check.Batch
	left       int // rows that are not kept
	found      check.Report
}

func (j *predictJob) parseCheck(c *cli.Context) error {
	if !c.Bool("check") {
		return nil
	}
	if j.tests != nil {
		return fault.Option("check", "takes one TEST, and there are several",
			"check each table by itself: pfnamp check STATE BATCH")
	}
	all, err := conditions.Parse(c)
	j.check = &checkSink{job: j, conditions: all}
	return err
}

func (s *checkSink) Add(_ context.Context, a answered) error {
	if s.batch.Rows >= conditions.MostChecked {
		s.left += a.rows()
		return nil
	}
	features, err := s.job.Schema.Features(a.Batch)
	if err == nil {
		s.batch.Append(features)
		s.batch.Labels = append(s.batch.Labels, a.labels...)
	}
	return err
}

// Finish compares the rows.
func (s *checkSink) Finish(ctx context.Context) error {
	j, q := s.job, s.job.Question
	s.batch.File = j.test
	if s.batch.Rows == 0 {
		return nil
	}
	err := conditions.CheckMeasured(s.conditions, s.batch, j.Bundle.Manifest.Task, j.Schema.TargetName)
	if err != nil {
		return err
	}
	s.found, err = check.Features(j.Schema, j.Context, s.batch, q.Seed)
	if err != nil {
		return err
	}
	if err = s.found.JudgeLabels(ctx, j.Fitted, s.batch, q.Level, q.Seed); err != nil {
		return err
	}
	if s.left > 0 {
		j.Notef("--check compares only the first %s of %s; %d more are not compared",
			words.Count(s.batch.Rows, "row"), j.test, s.left)
	}
	for _, line := range s.found.Sentences(j.From.Train) {
		j.Notef("%s", line)
	}
	return nil
}

// judgeTest fails where a condition about TEST holds, once its predictions are written.
func (j *predictJob) judgeTest(context.Context) error {
	if j.check == nil {
		return nil
	}
	return conditions.Judge(j.check.conditions, j.check.found)
}

func (j *predictJob) parseWeights(c *cli.Context) error {
	j.weighted = c.IsSet("weights")
	if j.weighted && (j.tests != nil || j.test == "-" || j.From.One) {
		return fault.Option("weights", "reads TEST twice, so TEST must be one file",
			"name one file, not standard input")
	}
	return nil
}

// weigh reads TEST and estimates the weights of the rows of TRAIN.
func (j *predictJob) weigh(ctx context.Context) error {
	if !j.weighted {
		return nil
	}
	table, err := j.ReadTable(ctx, j.test, j.ReadTest())
	if err != nil {
		return err
	}
	batch, err := check.Read(j.Schema, table)
	if err != nil {
		return err
	}
	data := j.Training.Data
	j.Question.Shift, err = drift.Weigh(data.X, batch.Matrix, data.Categorical, j.Question.Seed)
	if few := (*drift.RowsError)(nil); errors.As(err, &few) {
		return &tabular.Error{File: j.test,
			Msg: fmt.Sprintf("--weights shift needs at least %d rows in TRAIN and in TEST; they have %d "+
				"and %d", drift.LeastRows, few.Context, few.Batch),
			Hint: "predict more rows at once, or drop --weights"}
	}
	return err
}
