package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// contextJob is what `fit` and `predict` have in common: a training table is
// read and encoded, or a saved state takes its place. Its methods are its
// stages, in the order in which they are called.
type contextJob struct {
	from contextOptions
	std  stdio

	schema   *tabular.Schema
	training pfn.Training // empty with a saved state
	drawn    []int        // its rows in the table, or nil for all; see drawContext
	state    *savedState  // nil without one

	bundle  *models.Bundle
	model   *pfn.Model
	context *pfn.Context
}

// open reads the training table whole and learns its schema, or opens the
// saved state; the bundle tells whether the target holds labels.
func (j *contextJob) open(ctx context.Context) error {
	j.from.schema.Labels = j.bundle != nil && j.classifier()
	if j.from.saved {
		return j.openState()
	}
	read := j.from.read
	read.Stdin = cancellable(ctx, j.std.in)
	train, err := tabular.ReadAll(ctx, j.from.train, read)
	if err != nil {
		return err
	}
	if j.schema, err = tabular.Learn(train, j.from.schema); err != nil {
		return err
	}
	features, y, err := j.schema.Training(train)
	if err != nil {
		return err
	}
	j.training = pfn.Training{X: matrix(features), Categorical: j.schema.Categorical(), Y: y}
	j.noteTraining(train.Notes)
	j.drawContext()
	j.noteDrawn(len(y))
	return j.classTarget()
}

// openState takes schema and flags from the saved state.
func (j *contextJob) openState() error {
	var err error
	if j.state, err = openState(j.from.train); err != nil {
		return err
	}
	if j.schema, err = j.state.adopt(j.from.schema); err != nil {
		return err
	}
	note, schema := j.state.note, &j.from.schema
	schema.Target, j.from.members = j.schema.TargetName, note.Members
	j.from.subsample, j.from.seed = note.Subsample, note.Seed
	schema.Ignore, schema.Categorical, schema.Numeric = note.Ignore, note.Categorical, note.Numeric
	j.noteState()
	return j.checkStateTask()
}

func matrix(f tabular.Features) pfn.Matrix {
	return pfn.Matrix{Rows: f.Rows, Cols: f.Cols, Data: f.X}
}

// loadBundle loads and checks the bundle.
func (j *contextJob) loadBundle(context.Context) error {
	var err error
	j.bundle, err = openBundle(j.from.model)
	return err
}

// openModel starts onnxruntime.
func (j *contextJob) openModel(context.Context) error {
	var err error
	j.model, err = pfn.Open(j.bundle, j.from.engine())
	return err
}

// fit encodes the training table once, or restores the saved context.
func (j *contextJob) fit(ctx context.Context) error {
	var err error
	if j.state != nil {
		j.context, err = j.model.Restore(j.state.State)
	} else {
		j.context, err = j.model.Fit(ctx, j.training)
	}
	if err == nil {
		err = j.checkStateClasses()
	}
	if err != nil {
		return j.locate(err)
	}
	j.noteModel()
	switch {
	case j.context.Degenerate():
		j.notef("note: the target is constant, or varies too little for its size: " +
			"every interval is one value")
	case j.context.Marginal():
		j.notef("note: no feature varies: every row gets the distribution of the target")
	}
	return nil
}

// locate names the file, and the column where one is concerned, of an error
// about the training data or the saved state.
func (j *contextJob) locate(err error) error {
	var input *pfn.InputError
	if !errors.As(err, &input) {
		return fmt.Errorf("%s: %w", j.from.train, err)
	}
	e := &tabular.Error{File: j.from.train, Row: int64(j.sourceRow(input.Row) + 1),
		Msg: input.Msg}
	switch {
	case input.Col >= 0 && input.Col < len(j.schema.Columns):
		e.Column = j.schema.Columns[input.Col].Name
	case input.Col < 0 && input.Row >= 0:
		e.Column = j.from.schema.Target
	}
	return e
}

// close frees the model and closes the state.
func (j *contextJob) close() {
	if j.context != nil {
		j.context.Close()
	}
	if j.model != nil {
		j.model.Close()
	}
	if j.state != nil {
		j.state.file.Close()
	}
}
