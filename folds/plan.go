package folds

import (
	"fmt"
	"slices"
)

// Fold is one step of a cross-validation. Both lists ascend.
type Fold struct {
	Read []int // rows that the model reads
	Held []int // rows that it then predicts
}

// Plan says how rows are divided.
type Plan struct {
	Count int // of folds, at least 2, or 1 in the order of time
	Seed  uint64
	// Strata are divided evenly among the folds: the class of every row, or 0 of all. They count where
	// Groups and Times are nil.
	Strata []int
	// Groups 0, 1, ... stay whole: all rows of a group are read, or all are predicted.
	Groups []int
	// Times let the past predict the future; see [Rolling].
	Times []float64
	// First is the share of the rows that only the first model of Times reads; 0 stands for that of a
	// fold.
	First float64
}

// Folds divides the rows. The error is a *[GroupsError] or a *[TimesError].
func (p Plan) Folds() ([]Fold, error) {
	switch {
	case p.Times != nil:
		first := p.First
		if first == 0 {
			first = 1 / float64(p.Count+1)
		}
		return Rolling(p.Times, p.Count, first)
	case p.Groups != nil:
		of, err := Grouped(p.Seed, p.Groups, p.Count)
		return List(of, p.Count), err
	}
	return List(Stratified(p.Seed, p.Strata, p.Count), p.Count), nil
}

// Fitting lowers Count to what the groups or times allow: as many folds as groups, and one fewer
// than times.
func (p Plan) Fitting() Plan {
	switch {
	case p.Times != nil:
		times := slices.Compact(slices.Sorted(slices.Values(p.Times)))
		p.Count = min(p.Count, max(1, len(times)-1))
	case p.Groups != nil:
		groups := slices.Compact(slices.Sorted(slices.Values(p.Groups)))
		p.Count = min(p.Count, max(2, len(groups)))
	}
	return p
}

// List lists the folds 0, ..., count-1 that the rows are of: a model reads the rows of the other
// folds.
func List(of []int, count int) []Fold {
	all := make([]Fold, count)
	for k := range all {
		for row, fold := range of {
			if fold == k {
				all[k].Held = append(all[k].Held, row)
			} else {
				all[k].Read = append(all[k].Read, row)
			}
		}
	}
	return all
}

// GroupsError reports fewer groups than folds.
type GroupsError struct{ Groups, Folds int }

// Error implements error.
func (e *GroupsError) Error() string {
	if e.Groups == 1 {
		return "all rows are of one group, so no group is left to predict"
	}
	return fmt.Sprintf("there are %d groups, and %d folds of whole groups need as many", e.Groups,
		e.Folds)
}

// TimesError reports too few different times.
type TimesError struct{ Times, Folds int }

// Error implements error.
func (e *TimesError) Error() string {
	if e.Times == 1 {
		return "all rows have the same time, so there is no past and no future"
	}
	return fmt.Sprintf("there are %d different times, and %d folds in the order of time need %d",
		e.Times,
		e.Folds, e.Folds+1)
}

// Columns are the groups or times of the rows of a table, by which cross-validation divides them.
type Columns struct {
	Groups []int     // 0, 1, ..., by row; nil without groups
	Names  []string  // of the groups
	Times  []float64 // by row; nil without times
}

// Take keeps the listed rows.
func (s Columns) Take(rows []int) Columns {
	s.Groups, s.Times = Pick(s.Groups, rows), Pick(s.Times, rows)
	return s
}

// Pick lists values of some rows; nil of none.
func Pick[V any](values []V, rows []int) (some []V) {
	if values == nil {
		return nil
	}
	for _, row := range rows {
		some = append(some, values[row])
	}
	return some
}

// Plan completes a plan of folds by the columns.
func (s Columns) Plan(p Plan) Plan {
	p.Groups, p.Times = s.Groups, s.Times
	return p
}
