package evaluate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/report"
)

// divided says how the rows of the table were divided.
func (j *job) divided() string {
	t, s, fit := j.table, j.setting, j.From.Fit
	least, most := t.X.Rows, 0
	for _, p := range j.parts {
		least, most = min(least, len(p.Read)), max(most, len(p.Read))
	}
	read := words.Count(least, "row")
	if least < most {
		read = fmt.Sprintf("%d to %d rows", least, most)
	}
	predicted, _ := j.predicted()
	switch {
	case s.Folds == 0:
		of := map[bool]string{true: " of every class"}[t.Classes != nil]
		return fmt.Sprintf("In each of %s the model reads %d of the %d rows (%.12g %%%s) and predicts "+
			"the others.", words.Count(s.Splits, "random split"), most, t.X.Rows, 100*s.Share, of)
	case fit.Time != "":
		return fmt.Sprintf("Cross-validation in the order of %s, %s: the model reads earlier rows (%s) "+
			"and predicts the rows that follow, %d of %d in all. The earliest rows are only read.",
			fit.Time, words.Count(len(j.parts), "step"), read, predicted, t.X.Rows)
	case fit.Group != "":
		groups := len(slices.Compact(slices.Sorted(slices.Values(t.Groups))))
		return fmt.Sprintf("%d-fold cross-validation by %s: a model predicts each of the %d rows of %d "+
			"groups after it has read %s, none of them of the row's own group.", len(j.parts), fit.Group,
			t.X.Rows, groups, read)
	}
	return fmt.Sprintf("%d-fold cross-validation at random: a model predicts each of the %d rows "+
		"after it has read %s of the other folds.", len(j.parts), t.X.Rows, read)
}

// units says what the figures of the tables are in, and what stands beside them.
func (j *job) units() string {
	t, over := j.table, "means over the rows ± two standard errors over the folds"
	unit := "errors and widths are in the unit of " + j.From.Fit.Target
	if j.setting.Folds == 0 {
		over = "means ± two standard errors over the splits"
		unit = fmt.Sprintf("crps, rmse, pinball and width are in standard deviations of %s (1 is %.4g)",
			j.From.Fit.Target, t.Unit())
	}
	if t.Classes != nil {
		unit = fmt.Sprintf("%s has %s", j.From.Fit.Target, j.classCounts())
	}
	return fmt.Sprintf("Figures are %s; %s.", over, unit)
}

// predicted is how many rows are predicted, each counted once, and how many a part predicts for
// each one that it reads.
func (j *job) predicted() (rows int, ratio float64) {
	for _, p := range j.parts {
		rows += len(p.Held)
		ratio += float64(len(p.Held)) / float64(len(p.Read)) / float64(len(j.parts))
	}
	if j.setting.Folds == 0 {
		rows = min(j.table.X.Rows, j.setting.Splits*rows)
	}
	return rows, ratio
}

// results are those of all splits or folds together, and figures for a verdict.
func (j *job) results() []evaluate.Result {
	parts := evaluate.Results(j.cells, j.outcomes)
	all := evaluate.Average(parts, "split")
	if j.setting.Folds > 0 {
		all = evaluate.Pool(parts)
	}
	rows, ratio := j.predicted()
	return append(all, report.Judge(parts, all, rows, ratio)...)
}

// noteOrder says that the rows of the file were sorted by time.
func (j *job) noteOrder(context.Context) error {
	times := make([]float64, len(j.table.Times))
	if j.Training == nil || len(j.Training.Places) != len(times) {
		return nil
	}
	for i, place := range j.Training.Places {
		if place < len(times) { // unless some rows were drawn
			times[place] = j.table.Times[i]
		}
	}
	if !slices.IsSorted(times) {
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
		values := slices.Clone(j.table.Times)
		for _, g := range j.table.Groups {
			values = append(values, float64(g))
		}
		names[flag] = column + ", " + strings.TrimSpace(fingerprint(pfn.Training{Y: values}))
	}
}
