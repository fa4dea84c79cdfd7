package main

import (
	"context"
	"errors"
	"strings"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/explain"
	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/tabular"
)

// whatIf is the sink that adds to answers what the rows of TEST would be with the cells of --set.
// It comes before the others, which show it.
type whatIf struct {
	opening
	expressions []explain.Expression
	rows        *explain.WhatIf // from the first batch on
}

// parseSets reads the expressions of --set, once the columns are known.
func parseSets(sets []string, schema *tabular.Schema) (all []explain.Expression, err error) {
	for _, text := range sets {
		e, err := explain.ParseExpression(text, schema)
		if wrong, ok := errors.AsType[*explain.ExpressionError](err); ok {
			return nil, fault.Option("set", wrong.Error(), wrong.Hint)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

// openWhatIf makes the sink of --set.
func (j opening) openWhatIf(context.Context) (sink, error) {
	expressions, err := parseSets(j.opt.sets, j.schema)
	if err != nil {
		return nil, err
	}
	return &whatIf{opening: j, expressions: expressions}, nil
}

// Add implements sink: it answers for the rows as they would be.
func (w *whatIf) Add(ctx context.Context, _ *tabular.Batch, a *pfnamp.Answer) (err error) {
	if w.rows == nil {
		w.rows, err = explain.NewWhatIf(w.predictor, w.opt.joint.length, w.expressions)
		if err != nil {
			return err
		}
	}
	return w.rows.Add(ctx, a)
}

// Finish implements sink: it tells what the changes make of all rows together.
func (w *whatIf) Finish(context.Context) ([]finisher, error) {
	if w.rows == nil {
		return nil, nil
	}
	effects, err := w.rows.Effects()
	if err != nil || effects == nil {
		return nil, err
	}
	set := "rows with " + strings.Join(w.opt.sets, " and ")
	q := w.opt.question
	var all []report.Average
	for k, name := range []string{"unchanged rows", set, set + " - unchanged"} {
		told := toldEffect(effects[k], q)
		if told.Name = name; k == 2 {
			told.Plus, told.Minus = "The average of "+set, "the average of unchanged rows"
		}
		all = append(all, told)
	}
	w.counts.averages = append(all, w.counts.averages...)
	for _, text := range asked(q, w.layout, w.opt.fit.Target).Sentences(all[2:]) {
		w.notef("%s", text)
	}
	w.warnf("*_set and *_diff are what the model expects of rows with these values, not a causal " +
		"effect. To adjust for other columns, use pfnamp explain --treatment")
	for k, n := range w.rows.Outside {
		if n > 0 {
			w.warnf("%s is outside the range of %s in %s: the model extrapolates there",
				w.opt.sets[k], w.from.train, count(n, "row"))
		}
	}
	return nil, nil
}

// Discard implements sink.
func (w *whatIf) Discard() {}
