package evaluate

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/pfnamp/pfnamp/folds"
)

// FoldParam is the coordinate of a cell of a cross-validation.
const FoldParam = "fold"

// Plan divides the rows of a table for a cross-validation: by groups or times, or at random, class
// by class.
func (set Setting) Plan(t Table) folds.Plan {
	strata := make([]int, len(t.Y))
	if t.Classes != nil {
		for i, y := range t.Y {
			strata[i] = int(y)
		}
	}
	return t.Columns.Plan(folds.Plan{Count: set.Folds, Seed: set.Seed, Strata: strata})
}

// foldCells are the folds of a cross-validation of a table, one cell each. The predictive
// distributions of the model and of the baselines are scored at the rows of the fold, in the unit
// of the target. Every measure counts as many replicates as the fold has rows, so that [Pool] puts
// the folds together.
func (set Setting) foldCells(t Table, parts []folds.Fold) []Cell {
	cells := make([]Cell, len(parts))
	for i, part := range parts {
		one := fold{split{set, t, i + 1}, part}
		cells[i] = Cell{Key: fmt.Sprintf("%s-fold%d", one.name(), i+1), Run: one.run,
			Params: []Param{{FoldParam, i + 1}}}
	}
	return cells
}

// fold is one fold of a table.
type fold struct {
	split
	rows folds.Fold
}

// run lets the model and the baselines read the rows of the other folds and scores what they say.
func (f fold) run(ctx context.Context) (Outcome, error) {
	read, held := f.table.Training.Take(f.rows.Read), f.table.Training.Take(f.rows.Held)
	var tally Tally
	start := time.Now()
	p, err := f.Model.Predict(ctx, read, held.X)
	if err != nil {
		return Outcome{}, err
	}
	seconds := time.Since(start).Seconds()
	out := Outcome{Curves: f.score(&tally, MethodPPD, p, held, 1)}
	tally.Add(MethodPPD, "", "time_s", seconds)
	if err := f.baselines(ctx, &tally, read, held, 1); err != nil {
		return Outcome{}, err
	}
	out.Measures = tally.Measures()
	for i := range out.Measures {
		out.Measures[i].N = held.X.Rows
	}
	return out, nil
}

// inFolds divides a table, unless the folds leave too little of it. Errors are a *SplitError and
// those of folds.Plan.
func (set Setting) inFolds(t Table) ([]folds.Fold, error) {
	parts, err := set.Plan(t).Folds()
	if err != nil {
		return nil, err
	}
	large := 0
	for _, of := range folds.ByGroup(set.Plan(t).Strata) {
		if len(of) > 1 {
			large++
		}
	}
	if t.Classes != nil && large < 2 {
		return nil, &SplitError{Rows: t.X.Rows, Classes: len(t.Classes), Reason: twoEach}
	}
	if at := slices.IndexFunc(parts, tooSmall); at >= 0 {
		read, held := len(parts[at].Read), len(parts[at].Held)
		return nil, &SplitError{Rows: t.X.Rows, Train: read, Folds: set.Folds, Fits: set.fittingFolds(t),
			Reason: fmt.Sprintf("a model reads %d and predicts %d", read, held)}
	}
	return parts, nil
}

// tooSmall reports whether a model reads or predicts too few rows.
func tooSmall(f folds.Fold) bool { return len(f.Read) < minPart || len(f.Held) == 0 }

// fittingFolds returns the largest number of folds, up to that of the setting but at least 3, that
// leave every model enough rows. It returns 0 if there is none.
func (set Setting) fittingFolds(t Table) int {
	for set.Folds = min(max(set.Folds, minPart+1), t.X.Rows); set.Folds > 1; set.Folds-- {
		parts, err := set.Plan(t).Folds()
		if err == nil && !slices.ContainsFunc(parts, tooSmall) {
			return set.Folds
		}
	}
	return 0
}
