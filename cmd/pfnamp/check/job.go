package check

import (
	"context"
	"slices"

	"github.com/pfnamp/pfnamp/check"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/conditions"
	"github.com/pfnamp/pfnamp/tabular"
)

// readBatch reads the batch whole.
func (j *checkJob) readBatch(ctx context.Context) error {
	read := j.From.Read
	read.MaxRows, read.Names = 0, j.Schema.FeatureNames()
	table, err := j.ReadTable(ctx, j.file, read)
	if err != nil {
		return err
	}
	if table.Rows == 0 {
		return &tabular.Error{File: table.File, Msg: "the table has no rows to check", Hint: "name a " +
			"table with rows"}
	}
	j.batch, err = check.Read(j.Schema, table)
	for _, note := range slices.Concat(table.Notes, j.batch.Notes) {
		j.Warnf("%s: %s", table.File, note)
	}
	return err
}

// checkConditions refuses conditions about what is not measured, before anything is computed.
func (j *checkJob) checkConditions(context.Context) error {
	return conditions.CheckMeasured(j.conditions, j.batch, j.Bundle.Manifest.Task, j.Schema.TargetName)
}

// compare tests the features.
func (j *checkJob) compare(context.Context) error {
	rows, err := j.ContextRows()
	if err != nil {
		return err
	}
	if j.State != nil && rows.X.Rows < j.State.Rows {
		j.Notef("%s: check compares %d of %d rows: the state keeps no more",
			j.From.Train,
			rows.X.Rows, j.State.Rows)
	}
	j.found, err = check.Features(j.Schema, rows, j.batch, j.seed)
	return err
}

// judgeLabels scores labels, if the batch has any. Only this needs the model.
func (j *checkJob) judgeLabels(ctx context.Context) error {
	if j.batch.Labelled() == 0 {
		return nil
	}
	return j.Steps(ctx, j.Doing("loading the model", func(ctx context.Context) error {
		engine := j.From.Engine()
		engine.Contexts = 2
		return j.OpenEngine(ctx, engine)
	}), j.Doing("the model reads the context", j.Fit), j.Doing("scoring labels", func(
		ctx context.Context) error {
		return j.From.Undivided(j.found.JudgeLabels(ctx, j.Fitted, j.batch, j.level, j.seed))
	}))
}

func (j *checkJob) judge(context.Context) error { return conditions.Judge(j.conditions, j.found) }
