package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/check"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
)

// mostChecked bounds the rows of TEST that predict --check keeps.
const mostChecked = 100_000

// parseCheck reads the flags about a check of TEST.
func (j *predictJob) parseCheck(c *cli.Context) (err error) {
	if j.checked = c.Bool("check"); j.checked && j.tests != nil {
		return fault.Option("check", "takes one TEST, and there are several",
			"check each table by itself: pfnamp check STATE BATCH")
	}
	j.conditions, err = parseCheckConditions(c)
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
	if s.batch.X.Rows >= mostChecked {
		s.left += a.rows()
		return nil
	}
	features, err := s.job.schema.Features(a.Batch)
	if err == nil {
		s.batch.Add(features, a.labels)
	}
	return err
}

// Finish compares the rows.
func (s *checkSink) Finish(ctx context.Context) error {
	j, q := s.job, s.job.question
	s.batch.File = j.test
	if s.batch.X.Rows == 0 {
		return nil
	}
	err := checkMeasured(j.conditions, s.batch, j.bundle.Manifest.Task, j.schema.TargetName)
	if err != nil {
		return err
	}
	rows, err := j.contextRows()
	if err != nil {
		return err
	}
	if s.found, err = check.Features(j.schema, rows, s.batch, q.Seed); err != nil {
		return err
	}
	if err = s.found.JudgeLabels(ctx, j.fitted, s.batch, q.Level, q.Seed); err != nil {
		return err
	}
	if s.left > 0 {
		j.notef("--check compares only the first %s of %s; %d more are not compared",
			count(s.batch.X.Rows, "row"), j.test, s.left)
	}
	for _, line := range s.found.Sentences(j.from.train) {
		j.notef("%s", line)
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
		return judgeCheck(j.conditions, s.found)
	}
	return nil
}
