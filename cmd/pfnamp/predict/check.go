package predict

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/check"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/conditions"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
)

// parseCheck reads the flags about a check of TEST.
func (j *predictJob) parseCheck(c *cli.Context) (err error) {
	if j.checked = c.Bool("check"); j.checked && j.tests != nil {
		return fault.Option("check", "takes one TEST, and there are several",
			"check each table by itself: pfnamp check STATE BATCH")
	}
	j.conditions, err = conditions.Parse(c)
	return err
}

// checkSink keeps the rows of TEST and compares them with the context at the end.
type checkSink struct {
	job   *predictJob
	batch check.Batch
	left  int // rows that are not kept
	found check.Report
}

func (s *checkSink) Add(_ context.Context, a answered) error {
	if s.batch.X.Rows >= conditions.MostChecked {
		s.left += a.rows()
		return nil
	}
	features, err := s.job.Schema.Features(a.Batch)
	if err == nil {
		s.batch.Add(features, a.labels)
	}
	return err
}

// Finish compares the rows.
func (s *checkSink) Finish(ctx context.Context) error {
	j, q := s.job, s.job.Question
	s.batch.File = j.test
	if s.batch.X.Rows == 0 {
		return nil
	}
	err := conditions.CheckMeasured(j.conditions, s.batch, j.Bundle.Manifest.Task, j.Schema.TargetName)
	if err != nil {
		return err
	}
	rows, err := j.ContextRows()
	if err != nil {
		return err
	}
	if s.found, err = check.Features(j.Schema, rows, s.batch, q.Seed); err != nil {
		return err
	}
	if err = s.found.JudgeLabels(ctx, j.Fitted, s.batch, q.Level, q.Seed); err != nil {
		return err
	}
	if s.left > 0 {
		j.Notef("--check compares only the first %s of %s; %d more are not compared",
			words.Count(s.batch.X.Rows, "row"), j.test, s.left)
	}
	for _, line := range s.found.Sentences(j.From.Train) {
		j.Notef("%s", line)
	}
	return nil
}

// checking is the sink of --check, nil without.
func (j *predictJob) checking() *checkSink {
	for _, s := range j.sinks {
		if check, ok := s.(*checkSink); ok {
			return check
		}
	}
	return nil
}

// judgeTest fails where a condition about TEST holds, once its predictions are written.
func (j *predictJob) judgeTest(context.Context) error {
	if s := j.checking(); s != nil {
		return conditions.Judge(j.conditions, s.found)
	}
	return nil
}
