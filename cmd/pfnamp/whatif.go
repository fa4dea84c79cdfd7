package main

import (
	"context"
	"errors"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/explain"
	"github.com/pfnamp/pfnamp/report"
)

// whatIf answers for the rows of TEST as they would be with the cells of --set. The zero value
// does nothing.
type whatIf struct {
	length      float64 // see joint.Couple
	expressions []explain.Expression
	rows        *explain.WhatIf // once there are rows
}

// setFlag is that of cells which would be others.
func setFlag(category string) cli.Flag {
	return &cli.StringSliceFlag{Name: "set", Category: category,
		Usage: "also answer as if cells were others: `CHANGE` is COLUMN=VALUE, 'price*1.1', 'age+5', ..."}
}

// readSets reads the expressions, once the columns are known.
func (j *predictJob) readSets() error {
	j.whatIf = whatIf{length: j.opt.joint.length}
	for _, text := range j.opt.sets {
		e, err := explain.ParseExpression(text, j.schema)
		if wrong, ok := errors.AsType[*explain.ExpressionError](err); ok {
			return &usageError{msg: "--set " + wrong.Error(), hint: wrong.Hint}
		}
		if err != nil {
			return err
		}
		j.whatIf.expressions = append(j.whatIf.expressions, e)
	}
	j.layout.Changes = len(j.opt.sets) > 0
	return nil
}

// add answers for the rows of a batch as they would be.
func (w *whatIf) add(ctx context.Context, p *pfnamp.Predictor, a *pfnamp.Answer) (err error) {
	if len(w.expressions) == 0 {
		return nil
	}
	if w.rows == nil {
		if w.rows, err = explain.NewWhatIf(p, w.length, w.expressions); err != nil {
			return err
		}
	}
	return w.rows.Add(ctx, a)
}

// finishSets tells what the changes make of all rows together.
func (j *predictJob) finishSets() error {
	if j.whatIf.rows == nil {
		return nil
	}
	effects, err := j.whatIf.rows.Effects()
	if err != nil || effects == nil {
		return err
	}
	set := "rows with " + strings.Join(j.opt.sets, " and ")
	q := j.opt.question
	var all []report.Average
	for k, name := range []string{"unchanged rows", set, set + " - unchanged"} {
		told := toldEffect(effects[k], q)
		if told.Name = name; k == 2 {
			told.Plus, told.Minus = "the average of "+set, "that of unchanged rows"
		}
		all = append(all, told)
	}
	j.averages = append(all, j.averages...)
	for _, text := range asked(q, j.layout, j.opt.fit.Target).Sentences(all[2:]) {
		j.notef("%s", text)
	}
	j.warnf("*_set and *_diff say what the model expects of rows that look so. They are not a " +
		"causal effect: pfnamp explain --treatment adjusts for other columns")
	for k, n := range j.whatIf.rows.Outside {
		if n > 0 {
			j.warnf("%s leads outside the range of %s in %s: the model extrapolates there",
				j.opt.sets[k], j.from.train, count(n, "row"))
		}
	}
	return nil
}
