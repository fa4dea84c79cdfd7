package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/engine"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/progress"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/internal/plain"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// contextJob is what `fit` and `predict` have in common: a training table is
// read and encoded, or a saved state takes its place. Its methods are its
// stages, in the order in which they are called.
type contextJob struct {
	from  contextOptions
	std   stdio.Streams
	start time.Time

	bundle   *models.Bundle
	training *pfnamp.Training // nil with a saved state
	state    *pfnamp.State    // nil without one
	schema   *tabular.Schema
	rest     *tabular.Table // rows of the one table without a label, nil with two tables

	model  *pfn.Model
	fitted *pfnamp.Fitted

	facts    map[string]fileResult // of files that are read, see readFacts
	said     []string              // notes
	clock    clock
	progress *progress.Progress // nil until it is asked for
}

func newContextJob(std stdio.Streams) contextJob {
	now := time.Now()
	return contextJob{std: std, start: now, clock: clock{last: now}}
}

// readTable reads a table whole.
func (j *contextJob) readTable(
	ctx context.Context, path string, read tabular.ReadOptions,
) (*tabular.Table, error) {
	read.Stdin = stdio.Cancellable(ctx, j.std.In)
	return stdio.UnlessStopped(ctx, func() (*tabular.Table, error) {
		return tabular.ReadAll(ctx, path, read)
	}, nil)
}

// open reads the training table whole and learns its schema, or opens the
// saved state. The bundle tells whether the target holds labels; where none is
// named, the target tells which bundle it is.
func (j *contextJob) open(ctx context.Context) error {
	if j.from.saved {
		return j.openState()
	}
	return j.readTraining(ctx)
}

// readTraining reads the training table whole and learns its schema.
func (j *contextJob) readTraining(ctx context.Context) error {
	read := j.from.read
	read.Names = []string{j.from.fit.Target}
	train, err := j.readTable(ctx, j.from.train, read)
	if err == nil {
		train, err = j.part(train)
	}
	if err == nil {
		err = j.byTraining(train)
	}
	if err != nil {
		return err
	}
	if j.training, err = pfnamp.Learn(train, j.bundle.Manifest, j.from.fit); err != nil {
		return err
	}
	j.schema = j.training.Schema
	j.noteTraining(train.Notes)
	return nil
}

// part returns the rows of the one table that have the target, for learning, and keeps the other
// rows for prediction.
func (j *contextJob) part(train *tabular.Table) (*tabular.Table, error) {
	if !j.from.one {
		return train, nil
	}
	target := j.from.fit.Target
	labelled, rest, err := train.Partition(target)
	if err != nil {
		return nil, err
	}
	wrong := &tabular.Error{File: train.File, Column: target}
	switch {
	case rest.Rows == 0:
		wrong.Msg = fmt.Sprintf("no row lacks the target: all %s have a value",
			count(int(train.Rows), "row"))
		wrong.Hint = "name the rows to predict: pfnamp predict TRAIN TEST\n" +
			"if a text stands for a missing value, name it: --na '?'"
		return nil, wrong
	case labelled.Rows == 0:
		_, err := train.Labelled(target)
		return nil, err
	}
	j.rest = rest
	j.notef("%s: %s with a value of %q to learn from, %s to predict", train.File,
		count(int(labelled.Rows), "row"), target, count(int(rest.Rows), "row"))
	return labelled, nil
}

// openState takes schema and flags from the saved state.
func (j *contextJob) openState() error {
	var err error
	if j.state, err = pfnamp.OpenState(j.from.train); err != nil {
		return err
	}
	asked := j.from.fit
	j.schema = j.state.Schema
	if asked.Target != "" && asked.Target != j.schema.TargetName {
		return fault.Option("target", fmt.Sprintf("%s: the state predicts %q", asked.Target,
			j.schema.TargetName), "drop --target, or run pfnamp fit with it")
	}
	j.state.Keep(asked.Keep)
	j.from.fit, j.from.members = j.state.Options(), j.state.Members
	j.noteState()
	if err := j.byState(); err != nil {
		return err
	}
	return j.state.Check(j.bundle.Manifest)
}

// openModel starts onnxruntime.
func (j *contextJob) openModel(ctx context.Context) error {
	return j.openEngine(ctx, j.from.engine())
}

// openEngine loads the bundle; what is constant in its graphs is computed meanwhile.
func (j *contextJob) openEngine(ctx context.Context, opt pfn.Options) error {
	var err error
	j.model, err = stdio.UnlessStopped(ctx, func() (*pfn.Model, error) {
		return pfn.Open(j.bundle, opt)
	}, func(m *pfn.Model) { m.Close() })
	return engine.MemoryFailure(err, "", 1)
}

// telling is the progress of this job.
func (j *contextJob) telling() *progress.Progress {
	if j.progress == nil {
		j.progress = progress.New(j.std.Err, j.from.quiet)
	}
	return j.progress
}

// doing is a stage of the job that progress tells of, such as "reading train.csv".
func (j *contextJob) doing(
	what string, stage func(context.Context) error,
) func(context.Context) error {
	return func(ctx context.Context) error {
		p := j.telling()
		p.Doing = plain.Text(what)
		p.Begin()
		defer p.Finish()
		return stage(ctx)
	}
}

// steps runs stages of the job in their order, up to the first error. A panic names the model.
func (j *contextJob) steps(ctx context.Context, stages ...func(context.Context) error) error {
	for _, stage := range stages {
		err := panics.Job(func() error { return stage(ctx) })()
		if caught := (*panics.Error)(nil); errors.As(err, &caught) && j.bundle != nil {
			m := j.bundle.Manifest
			return fmt.Errorf("with model %s %s: %w", m.Name, m.Version, err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// fit encodes the training table once, or restores the saved context.
func (j *contextJob) fit(ctx context.Context) error {
	var err error
	if j.state != nil {
		j.fitted, err = j.state.Restore(j.model)
	} else {
		j.fitted, err = j.training.Fit(ctx, j.model)
	}
	if err != nil {
		return engine.MemoryFailure(err, "--subsample", 1)
	}
	j.noteModel()
	for _, warning := range j.fitted.Warnings() {
		j.warnf("%s", warning)
	}
	return nil
}

// varying is the number of features that vary.
func (j *contextJob) varying() int {
	if j.state != nil {
		return j.state.Varying()
	}
	return j.training.Varying()
}

// support is the possible values of the target.
func (j *contextJob) support() amp.Support {
	if j.state != nil {
		return j.state.Support()
	}
	return j.training.Support
}

// close frees the model and closes the state.
func (j *contextJob) close() {
	if j.fitted != nil {
		j.fitted.Close()
	}
	if j.model != nil {
		j.model.Close()
	}
	if j.state != nil {
		j.state.Close()
	}
}

// contextRows are the rows that the batch is compared with.
func (j *contextJob) contextRows() (pfn.Training, error) {
	if j.training != nil {
		return j.training.Data, nil
	}
	rows, err := j.state.ContextRows()
	if errors.Is(err, pfnamp.ErrNoContext) {
		err = &tabular.Error{File: j.from.train, Msg: err.Error(),
			Hint: "name the training table instead of the state, or fit again"}
	}
	return rows, err
}
