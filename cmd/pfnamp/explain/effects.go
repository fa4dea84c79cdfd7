package explain

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/explain"
	"github.com/pfnamp/pfnamp/report"
)

// effectExplanation is the effects of columns and of pairs of columns.
type effectExplanation struct {
	job     *explainJob
	columns [][]string // of every effect, one or two
	effects []*explain.Effect
}

func (e *effectExplanation) check() error {
	schema := e.job.Schema
	names := schema.FeatureNames()
	if len(e.job.effects) == 0 {
		all, err := e.job.explained()
		for _, name := range all {
			e.columns = append(e.columns, []string{name})
		}
		return err
	}
	for _, text := range e.job.effects {
		columns := []string{text}
		if first, second, pair := strings.Cut(text, ":"); pair && !slices.Contains(names, text) {
			columns = []string{first, second}
			if first == second {
				return fault.Option("effect", strconv.Quote(text)+" names a column twice",
					"name one column, or two different ones: a:b")
			}
		}
		for _, name := range columns {
			if err := explain.CheckColumn(schema, name); err != nil {
				return err
			}
		}
		e.columns = append(e.columns, columns)
	}
	return nil
}

// compute averages the answers of all rows with changed columns.
func (e *effectExplanation) compute(ctx context.Context) (f finding, err error) {
	j := e.job
	rows, err := explain.NewPopulation(j.Predictor, j.length)
	if err != nil {
		return f, err
	}
	j.NoteSubjects(j.Fitted)
	rows.Report = func(n int) { j.Telling().Count(int64(n)) }
	for _, columns := range e.columns {
		points := j.points
		if len(columns) > 1 && points == 0 {
			points = pairPoints
		}
		effect, err := rows.Effect(ctx, points, columns...)
		if err != nil {
			return f, err
		}
		e.effects = append(e.effects, effect)
	}
	e.note()
	return finding{Result: output.Result{Record: explain.EffectRecord(j.Layout, e.effects),
		Chart: report.Effects{Asked: j.Asked(), Effects: e.effects}.Chart()},
		title:   "What drives " + j.From.Fit.Target,
		caption: e.caption(), changes: e.changes(), sentences: e.sentences()}, nil
}

// pairPoints is the usual number of values of every column of a pair.
const pairPoints = 6

// note tells where the model extrapolates, of all columns at once, and what is not shown.
func (e *effectExplanation) note() {
	var thin []string
	for _, effect := range e.effects {
		name := strings.Join(effect.Columns, " and ")
		if slices.ContainsFunc(effect.Points, explain.Point.Thin) {
			thin = append(thin, name)
		}
		if effect.Left > 0 {
			e.job.Warnf("%s: %s are rare and not shown", name, words.Count(effect.Left, "value"))
		}
	}
	if thin != nil {
		e.job.Warnf("the model extrapolates at values of %s where most rows are far from every row of "+
			"%s (support below 0.5)", strings.Join(thin, ", "), e.job.From.Train)
	}
}

// changes are what columns change, by functional, the largest change first.
func (e *effectExplanation) changes() (all []changeResult) {
	for f, name := range e.job.Layout.Names {
		first := len(all)
		for _, effect := range e.effects {
			if f >= len(effect.Changes) {
				continue
			}
			c, value := effect.Changes[f], func(point int) string {
				return effect.Points[point].Values[0].Short()
			}
			all = append(all, changeResult{effect.Columns[0], name, value(c.From), value(c.To), c.Point,
				c.Lo, c.Hi, c.Above, ""})
		}
		slices.SortStableFunc(all[first:], func(a, b changeResult) int {
			return cmp.Compare(math.Abs(b.Point), math.Abs(a.Point))
		})
	}
	return all
}

func (e *effectExplanation) sentences() (texts []string) {
	level := report.Level(e.job.Question.Level)
	number, asked := report.Number, e.job.Asked()
	changes := slices.DeleteFunc(e.changes(), func(c changeResult) bool {
		return len(asked.Classes) == 2 && c.Functional == asked.Functionals[0] // 1 minus the other
	})
	the := func(functional string) string { // only "mean" is a word
		return cmp.Or(map[string]string{"mean": "the mean"}[functional], functional)
	}
	var ranked []string
	for _, c := range changes {
		if c.Functional == changes[0].Functional {
			ranked = append(ranked, c.Column)
		}
	}
	if len(ranked) > 1 {
		texts = append(texts, fmt.Sprintf("What moves %s most, according to the model, with the "+
			"other columns as they are: %s.", the(changes[0].Functional), strings.Join(ranked, ", ")))
	}
	for _, c := range changes {
		change := fmt.Sprintf("rises by %s (%s interval %s to %s; probability %s)", number(c.Point),
			level, number(c.Lo), number(c.Hi), report.Chance(c.Above))
		switch {
		case c.Lo <= 0 && c.Hi >= 0:
			change = fmt.Sprintf("shows no clear change: %s (%s interval %s to %s)",
				number(c.Point), level, number(c.Lo), number(c.Hi))
		case c.Point < 0:
			change = fmt.Sprintf("falls by %s (%s interval %s to %s; probability %s)", number(-c.Point),
				level, number(-c.Hi), number(-c.Lo), report.Chance(1-c.Above))
		}
		texts = append(texts, fmt.Sprintf("From %s = %s to %s, %s %s.", c.Column, c.From, c.To,
			the(c.Functional), change))
	}
	return texts
}

func (e *effectExplanation) caption() (lines []string) {
	level := report.Level(e.job.Question.Level)
	single := func(e *explain.Effect) bool { return !e.Pair() }
	if slices.ContainsFunc(e.effects, single) {
		lines = append(lines, "Each panel shows how the average answer changes if every row gets "+
			"another value of the column.", fmt.Sprintf("Its %s credible interval is about one value; "+
			"the band contains the whole curve with probability %s.", level, level))
	}
	if slices.ContainsFunc(e.effects, (*explain.Effect).Pair) {
		lines = append(lines, "Each tile shows the average answer if every row gets both values, or the "+
			"width of its "+level+" credible interval.")
	}
	return append(lines, "Averages are over rows of the training table. Where few rows are near a "+
		"value, the model extrapolates. This is what the model expects, not a causal effect.")
}
