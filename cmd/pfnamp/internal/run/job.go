// Package run has the steps of jobs that read a labelled table: read, load, fit, ask, tell.
package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/engine"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/flags"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/progress"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/self"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/internal/plain"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// Job is what `fit` and `predict` have in common: a training table is
// read and encoded, or a saved state takes its place. Its methods are its
// stages, in the order in which they are called.
type Job struct {
	From  Options
	Std   stdio.Streams
	Start time.Time

	Bundle   *models.Bundle
	Training *pfnamp.Training // nil with a saved state
	State    *pfnamp.State    // nil without one
	Schema   *tabular.Schema
	Context  pfn.Training   // rows that others are compared with
	varying  int            // features that vary
	support  amp.Support    // of the target
	Rest     *tabular.Table // rows of the one table without a label, nil with two tables

	Model  *pfn.Model
	Fitted *pfnamp.Fitted

	facts    map[string]output.FileResult // of files that are read, see ReadFacts
	Said     []string                     // notes
	Told     func(note string) bool       // not said again, as it was of another table; may be nil
	Clock    clock
	progress *progress.Progress // nil until it is asked for
}

// Command is a command with this job as its action: after the options that all jobs have, parse
// reads the rest of the command line.
func (j *Job) Command(
	c *cli.Command, parse func(*cli.Context) error, run func(context.Context) error,
) *cli.Command {
	c.Action = func(c *cli.Context) (err error) {
		j.Start, j.Std = time.Now(), stdio.Of(c)
		j.Clock = clock{last: j.Start}
		if j.From, err = Parse(c); err != nil {
			return err
		}
		if err := parse(c); err != nil {
			return err
		}
		return run(c.Context)
	}
	return c
}

// OfTest words the hint of an error about TEST, the table besides TRAIN that has flags of its own.
func (j *Job) OfTest(err error) error {
	e, ok := errors.AsType[*tabular.Error](err)
	if ok && e.File != j.From.Train && (e.File != "stdin" || j.From.Train != "-") {
		return flags.Worded(err, j.From.Command, true)
	}
	return err
}

// ReadTest is how TEST is read.
func (j *Job) ReadTest() tabular.ReadOptions {
	read, test := j.From.Read, j.From.Test
	read.Sheet, read.HeaderRow = cmp.Or(test.Sheet, read.Sheet), cmp.Or(test.HeaderRow, read.HeaderRow)
	read.Decimal = cmp.Or(test.Decimal, read.Decimal)
	read.MaxRows, read.Names = 0, j.Schema.FeatureNames()
	return read
}

// ReadTable reads a table whole.
func (j *Job) ReadTable(
	ctx context.Context, path string, read tabular.ReadOptions,
) (*tabular.Table, error) {
	read.Stdin = stdio.Cancellable(ctx, j.Std.In)
	return stdio.UnlessStopped(ctx, func() (*tabular.Table, error) {
		return tabular.ReadAll(ctx, path, read)
	}, nil)
}

// Open reads the training table whole and learns its schema, or opens the
// saved state. The bundle tells whether the target holds labels; where none is
// named, the target tells which bundle it is.
func (j *Job) Open(ctx context.Context) error {
	if j.From.Saved {
		return j.openState()
	}
	return j.ReadTraining(ctx)
}

// ReadTraining reads the training table whole and learns its schema.
func (j *Job) ReadTraining(ctx context.Context) error {
	read := j.From.Read
	read.Names = []string{j.From.Fit.Target}
	train, err := j.ReadTable(ctx, j.From.Train, read)
	if err == nil {
		train, err = j.part(train)
	}
	if err == nil {
		err = j.byTraining(train)
	}
	if err != nil {
		return err
	}
	if j.Training, err = pfnamp.Learn(train, j.Bundle.Manifest, j.From.Fit); err != nil {
		return err
	}
	j.Schema, j.Context = j.Training.Schema, j.Training.Data
	j.varying, j.support = j.Training.Varying(), j.Training.Support
	j.noteTraining(train.Notes)
	return nil
}

// part returns the rows of the one table that have the target, for learning, and keeps the other
// rows for prediction.
func (j *Job) part(train *tabular.Table) (*tabular.Table, error) {
	if !j.From.One {
		return train, nil
	}
	target := j.From.Fit.Target
	labelled, rest, err := train.Partition(target)
	if err != nil {
		return nil, err
	}
	wrong := &tabular.Error{File: train.File, Column: target}
	switch {
	case rest.Rows == 0:
		wrong.Msg = fmt.Sprintf("no row lacks the target: all %s have a value",
			words.Count(int(train.Rows), "row"))
		wrong.Hint = "name the rows to predict: pfnamp predict TRAIN TEST\n" +
			"if a text stands for a missing value, name it: --na '?'"
		return nil, wrong
	case labelled.Rows == 0:
		_, err := train.Labelled(target)
		return nil, err
	}
	j.Rest = rest
	j.Notef("%s: %s with a value of %q to learn from, %s to predict", train.File,
		words.Count(int(labelled.Rows), "row"), target, words.Count(int(rest.Rows), "row"))
	return labelled, nil
}

func (j *Job) openState() (err error) {
	if j.State, err = pfnamp.OpenState(j.From.Train); err != nil {
		return err
	}
	asked := j.From.Fit
	j.Schema, j.Context = j.State.Schema, j.State.ContextRows()
	j.varying, j.support = j.State.Varying(), j.State.Support()
	if asked.Target != "" && asked.Target != j.Schema.TargetName {
		return fault.Option("target", fmt.Sprintf("%s: the state predicts %q", asked.Target,
			j.Schema.TargetName), "drop --target, or run pfnamp fit with it")
	}
	j.State.Keep(asked.Keep)
	j.From.Fit, j.From.Running.Members = j.State.Options(), j.State.Members
	j.Notef("state %s: context %s, %s, %s; target %q", j.From.Train, j.Schema.File,
		words.Count(j.State.Rows, "row"), Kinds(j.Schema.Columns), j.Schema.TargetName)
	if j.Bundle == nil {
		j.Bundle, err = models.ForTask(j.State.Task().Name())
		if err == nil && j.Bundle.SHA256() != j.State.SHA256 { // others take memory
			j.Bundle, err = j.State.Bundle()
		}
		if err != nil {
			return err
		}
	}
	return j.State.Check(j.Bundle.Manifest)
}

// OpenModel starts onnxruntime.
func (j *Job) OpenModel(ctx context.Context) error {
	return j.OpenEngine(ctx, j.From.Engine())
}

// OpenEngine loads the bundle; what is constant in its graphs is computed meanwhile.
func (j *Job) OpenEngine(ctx context.Context, opt pfn.Options) (err error) {
	opt.Memory = engine.Left(opt.Memory)
	j.Model, err = stdio.UnlessStopped(ctx, func() (*pfn.Model, error) {
		return pfn.Open(j.Bundle, opt)
	}, func(m *pfn.Model) { m.Close() })
	return engine.MemoryFailure(err, "", 1)
}

// Telling is the progress of this job.
func (j *Job) Telling() *progress.Progress {
	if j.progress == nil {
		j.progress = progress.New(j.Std.Err, j.From.Quiet)
	}
	return j.progress
}

// Doing is a stage of the job that progress tells of, such as "reading train.csv".
func (j *Job) Doing(what string, stage func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		p := j.Telling()
		p.Doing = plain.Text(what)
		p.Begin()
		defer p.Finish()
		return stage(ctx)
	}
}

// Steps runs stages of the job in their order, up to the first error. A panic names the model.
func (j *Job) Steps(ctx context.Context, stages ...func(context.Context) error) error {
	for _, stage := range stages {
		err := panics.Job(func() error { return stage(ctx) })()
		if caught := (*panics.Error)(nil); errors.As(err, &caught) && j.Bundle != nil {
			m := j.Bundle.Manifest
			return fmt.Errorf("with model %s %s: %w", m.Name, m.Version, err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Fit encodes the training table once, or restores the saved context.
func (j *Job) Fit(ctx context.Context) (err error) {
	if j.State != nil {
		j.Fitted, err = j.State.Restore(j.Model)
	} else {
		j.Fitted, err = j.Training.Fit(ctx, j.Model)
	}
	if err != nil {
		return engine.MemoryFailure(err, "--subsample", 1)
	}
	j.noteModel()
	for _, warning := range j.Fitted.Warnings() {
		j.Warnf("%s", warning)
	}
	return nil
}

// Close frees the model and closes the state.
func (j *Job) Close() {
	if j.Fitted != nil {
		j.Fitted.Close()
	}
	if j.Model != nil {
		j.Model.Close()
	}
	if j.State != nil {
		j.State.Close()
	}
}

// Save writes the fitted context to a file, which appears complete or not at all.
func (j *Job) Save(ctx context.Context, path string, half bool) error {
	file, err := stdio.Create(ctx, path)
	if err != nil {
		return fault.Unwritable(path, err)
	}
	defer file.Abort()
	write := j.Fitted.Save
	if half {
		write = j.Fitted.SaveHalf
	}
	err = write(file, self.Version())
	if table, ok := errors.AsType[*tabular.Error](err); ok {
		return table
	}
	if err != nil {
		return fault.Writing(fmt.Errorf("%s: %w", path, atomicfile.Cause(err)))
	}
	size, err := file.Size()
	if err == nil {
		err = file.Commit()
	}
	if err != nil {
		return fault.Unwritable(path, err)
	}
	j.Notef("%s: %s. It contains the training data: protect it like %s",
		path, megabytes(size), j.Schema.File)
	return nil
}

func megabytes(bytes int64) string {
	if bytes < 1e6 {
		return fmt.Sprintf("%.0f kB", float64(bytes)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}
