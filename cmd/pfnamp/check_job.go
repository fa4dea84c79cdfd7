package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp/check"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/tabular"
)

// readBatch reads the batch whole.
func (j *checkJob) readBatch(ctx context.Context) error {
	read := j.from.read
	read.MaxRows, read.Names = 0, j.schema.FeatureNames()
	table, err := j.readTable(ctx, j.file, read)
	if err != nil {
		return err
	}
	if table.Rows == 0 {
		return &tabular.Error{File: table.File, Msg: "the table has no rows to check", Hint: "name a " +
			"table with rows"}
	}
	j.batch, err = check.Read(j.schema, table)
	for _, note := range slices.Concat(table.Notes, j.batch.Notes) {
		j.warnf("%s: %s", table.File, note)
	}
	return err
}

// checkConditions refuses conditions about what is not measured, before anything is computed.
func (j *checkJob) checkConditions(context.Context) error {
	return checkMeasured(j.conditions, j.batch, j.bundle.Manifest.Task, j.schema.TargetName)
}

// checkMeasured refuses conditions about labels that a batch lacks.
func checkMeasured(conditions []condition, b check.Batch, task, target string) error {
	for _, c := range conditions {
		switch {
		case check.AboutLabels(c.metric) && b.Labelled() == 0:
			return fault.Option("fail-if", fmt.Sprintf("%q needs labels, and %s has none", c.text,
				b.File), fmt.Sprintf("add the column %q to the table, or drop the condition", target))
		case !check.Measured(c.metric, task):
			return fault.Option("fail-if", fmt.Sprintf("%q: this target has no %s", c.text, c.metric),
				"use coverage for numbers, and accuracy for classes")
		}
	}
	return nil
}

// compare tests the features.
func (j *checkJob) compare(context.Context) error {
	rows, err := j.contextRows()
	if err != nil {
		return err
	}
	if j.state != nil && rows.X.Rows < j.state.Rows {
		j.notef("%s: check compares %d of %d rows: the state keeps no more",
			j.from.train,
			rows.X.Rows, j.state.Rows)
	}
	j.found, err = check.Features(j.schema, rows, j.batch, j.seed)
	return err
}

// judgeLabels scores labels, if the batch has any. Only this needs the model.
func (j *checkJob) judgeLabels(ctx context.Context) error {
	if j.batch.Labelled() == 0 {
		return nil
	}
	return j.steps(ctx, j.doing("loading the model", func(ctx context.Context) error {
		engine := j.from.engine()
		engine.Contexts = 2
		return j.openEngine(ctx, engine)
	}), j.doing("the model reads the context", j.fit), j.doing("scoring labels", func(
		ctx context.Context) error {
		return j.from.undivided(j.found.JudgeLabels(ctx, j.fitted, j.batch, j.level, j.seed))
	}))
}

func (j *checkJob) judge(context.Context) error { return judgeCheck(j.conditions, j.found) }

// judgeCheck fails where a condition about a report holds.
func judgeCheck(conditions []condition, found check.Report) error {
	var broken []string
	for _, c := range conditions {
		value := found.Figure(c.metric)
		if c.beyond(value, c.bound) {
			broken = append(broken, c.why(value, c.bound))
		}
	}
	if broken == nil {
		return nil
	}
	return fault.New(fault.Check, found.File+": "+strings.Join(broken, "; "), "")
}
