package evaluate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/report"
)

// divided says how the rows of the table were divided.
func (j *job) divided() string {
	t, fit := j.table, j.From.Fit
	parts, _ := j.setting.Plan(t).Folds() // check has made them
	least, most, predicted := t.Rows, 0, 0
	for _, p := range parts {
		least, most, predicted = min(least, len(p.Read)), max(most, len(p.Read)), predicted+len(p.Held)
	}
	read := words.Count(least, "row")
	if least < most {
		read = fmt.Sprintf("%d to %d rows", least, most)
	}
	switch {
	case fit.Time != "":
		return fmt.Sprintf("Cross-validation in the order of %s, %s: the model reads earlier rows (%s) "+
			"and predicts the rows that follow, %d of %d in all. The earliest rows are only read.",
			fit.Time, words.Count(len(parts), "step"), read, predicted, t.Rows)
	case fit.Group != "":
		groups := len(slices.Compact(slices.Sorted(slices.Values(t.Groups))))
		return fmt.Sprintf("%d-fold cross-validation by %s: a model predicts each of the %d rows of %d "+
			"groups after it has read %s, none of them of the row's own group.", len(parts), fit.Group,
			t.Rows, groups, read)
	}
	return fmt.Sprintf("%d-fold cross-validation at random: a model predicts each of the %d rows "+
		"after it has read %s of the other folds.", len(parts), t.Rows, read)
}

func (j *job) cross() report.CrossEvaluation {
	t, s, m := j.table, j.setting, j.Bundle.Manifest
	e := report.CrossEvaluation{Target: j.From.Fit.Target, Level: s.Level, Outcomes: j.outcomes,
		Title: j.title(), Results: j.results(), Divided: j.divided(),
		How: fmt.Sprintf("Model: %s %s. Level %g, seed %d.", m.Name, m.Version, s.Level, s.Seed)}
	if t.Classes != nil {
		parts, _ := s.Plan(t).Folds() // check has made them
		counts, rows := make([]int, len(t.Classes)), 0
		for _, p := range parts {
			for _, row := range p.Held {
				counts[int(t.Y[row])]++
				rows++
			}
		}
		most := slices.Max(counts)
		e.Classes, e.Share = j.classCounts(), float64(most)/float64(rows)
		e.Frequent = t.Classes[slices.Index(counts, most)]
	}
	return e
}

func (j *job) printCross(w *tabwriter.Writer, results []evaluate.Result) error {
	e := j.cross()
	for _, line := range append([]string{e.Divided, ""}, e.Sentences()...) {
		fmt.Fprintln(w, line)
	}
	fmt.Fprintln(w)
	output.PrintTable(w, report.ScoreTable(results))
	unit := "errors and widths in the unit of " + e.Target
	if e.Classes != "" {
		unit = e.Classes + "; log loss in nats"
	}
	fmt.Fprintf(w, "\n%s; means over the rows ± two standard errors over the folds\n", unit)
	return w.Flush()
}

// results are those of all splits or folds together.
func (j *job) results() []evaluate.Result {
	all := evaluate.Results(j.cells, j.outcomes)
	if j.setting.Folds > 0 {
		return evaluate.Pool(all)
	}
	return evaluate.Average(all, "split")
}

// noteOrder says that the rows were sorted by time.
func (j *job) noteOrder(context.Context) error {
	if j.table.Times == nil || j.Training == nil {
		return nil
	}
	if !slices.IsSorted(j.table.Times) && j.Training.Places == nil {
		j.Notef("%s: the rows are not in the order of %q, so pfnamp sorts them", j.From.Train,
			j.From.Fit.Time)
	}
	return nil
}

// foldNames are the entries of a setting that are about the division of the rows.
func (j *job) foldNames(names map[string]string) {
	names["folds"] = fmt.Sprint(j.setting.Folds)
	delete(names, "chains")
	delete(names, "steps")
	for flag, column := range map[string]string{"group": j.From.Fit.Group, "time": j.From.Fit.Time} {
		if column == "" {
			continue
		}
		t := j.table
		values := slices.Clone(t.Times)
		for _, g := range t.Groups {
			values = append(values, float64(g))
		}
		names[flag] = column + ", " + strings.TrimSpace(fingerprint(evaluate.Data{Y: values}))
	}
}
