package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/check"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/tabular"
)

// mostChecked bounds the rows of TEST that predict --check keeps.
const mostChecked = 100_000

// parseCheckOfTest reads checkFlagsOfPredict.
func (o *predictOptions) parseCheckOfTest(c *cli.Context) (err error) {
	if o.checked = c.Bool("check"); !o.checked {
		return needs(c, "--check", "fail-if")
	}
	if o.tests != nil {
		return fault.Option("check", "takes one TEST, and there are several",
			"check each table by itself: pfnamp check STATE BATCH")
	}
	o.conditions, err = parseCheckConditions(c)
	return err
}

// checkSink keeps the rows of TEST and compares them with the context at the end.
type checkSink struct {
	job   *askJob
	batch check.Batch
	left  int // rows that are not kept
	found check.Report
}

// Add implements sink.
func (s *checkSink) Add(_ context.Context, batch *tabular.Batch, _ *pfnamp.Answer) error {
	if s.batch.X.Rows >= mostChecked {
		s.left += batch.Rows()
		return nil
	}
	features, err := s.job.schema.Features(batch)
	if err != nil {
		return err
	}
	s.batch.Add(features, s.job.schema.Observed(batch))
	return nil
}

// Finish implements sink.
func (s *checkSink) Finish(ctx context.Context) ([]finisher, error) {
	j := s.job
	s.batch.File = j.opt.test
	if s.batch.X.Rows == 0 {
		return nil, nil
	}
	err := checkMeasured(j.opt.conditions, s.batch, j.bundle.Manifest.Task, j.schema.TargetName)
	if err != nil {
		return nil, err
	}
	rows, err := j.contextRows()
	if err != nil {
		return nil, err
	}
	if s.found, err = check.Features(j.schema, rows, s.batch, j.opt.question.Seed); err != nil {
		return nil, err
	}
	err = s.found.JudgeLabels(ctx, j.fitted, s.batch, j.opt.question.Level, j.opt.question.Seed)
	if err != nil {
		return nil, err
	}
	if s.left > 0 {
		j.notef("--check compares only the first %s of %s; %d more are not compared",
			count(s.batch.X.Rows, "row"),
			j.opt.test, s.left)
	}
	for _, line := range s.found.Sentences(j.from.train) {
		j.notef("%s", line)
	}
	return nil, nil
}

// Discard implements sink.
func (s *checkSink) Discard() {}

// openCheck makes the sink of --check.
func (j opening) openCheck(context.Context) (sink, error) { return &checkSink{job: j.askJob}, nil }
