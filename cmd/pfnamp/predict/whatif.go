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
	"github.com/pfnamp/pfnamp/tabular"
)

// whatIf is the sink that adds to answers what the rows of TEST would be with the cells of --set.
// It comes before the others, which show it.
type whatIf struct {
	job         *predictJob
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

func (j *predictJob) openWhatIf() error {
	expressions, err := parseSets(j.sets, j.Schema)
	j.sinks = append(j.sinks, &whatIf{job: j, expressions: expressions})
	return err
}

func (w *whatIf) Add(ctx context.Context, a answered) (err error) {
	if w.rows == nil {
		w.rows, err = explain.NewWhatIf(w.job.Predictor, w.job.joint.length, w.expressions)
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
