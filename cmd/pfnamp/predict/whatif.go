package predict

import (
	"context"
	"errors"
	"strings"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/explain"
	"github.com/pfnamp/pfnamp/report"
)

// whatIf is the sink that adds to answers what the rows of TEST would be with the cells of --set.
// It comes before the others, which show it.
type whatIf struct {
	job  *predictJob
	rows *explain.WhatIf // from the first batch on
}

// parseSets reads the expressions of --set, once the columns are known.
func (j *predictJob) parseSets() error {
	j.changes = nil
	for _, text := range j.sets {
		e, err := explain.ParseExpression(text, j.Schema)
		if wrong, ok := errors.AsType[*explain.ExpressionError](err); ok {
			return fault.Option("set", wrong.Error(), wrong.Hint)
		}
		if err != nil {
			return err
		}
		j.changes = append(j.changes, e)
	}
	return nil
}

func (w *whatIf) Add(ctx context.Context, a answered) (err error) {
	if w.rows == nil {
		w.rows, err = explain.NewWhatIf(w.job.Predictor, w.job.joint.length, w.job.changes)
		if err != nil {
			return err
		}
	}
	return w.rows.Add(ctx, a.Answer)
}

// Finish tells what the changes make of all rows together.
func (w *whatIf) Finish(context.Context) error {
	if w.rows == nil {
		return nil
	}
	effects, err := w.rows.Effects()
	if err != nil || effects == nil {
		return err
	}
	j, q := w.job, w.job.Question
	set := "rows with " + strings.Join(j.sets, " and ")
	var all []report.Average
	for k, name := range []string{"unchanged rows", set, set + " - unchanged"} {
		told := run.ToldEffect(effects[k], q)
		if told.Name = name; k == 2 {
			told.Plus, told.Minus = "The average of "+set, "the average of unchanged rows"
		}
		all = append(all, told)
	}
	j.counts.averages = append(all, j.counts.averages...)
	for _, text := range j.Asked().Sentences(all[2:]) {
		j.Notef("%s", text)
	}
	j.Warnf("*_set and *_diff are what the model expects of rows with these values, not a causal " +
		"effect. To adjust for other columns, use pfnamp explain --treatment")
	for k, n := range w.rows.Outside {
		if n > 0 {
			j.Warnf("%s is outside the range of %s in %s: the model extrapolates there",
				j.sets[k], j.From.Train, words.Count(n, "row"))
		}
	}
	return nil
}
