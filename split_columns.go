package pfnamp

import (
	"slices"

	"github.com/pfnamp/pfnamp/folds"
	"github.com/pfnamp/pfnamp/tabular"
)

// SplitColumns are the groups or times of the rows of a context, by which cross-validation divides
// them.
type SplitColumns struct {
	Groups []int     // 0, 1, ..., by row; nil without FitOptions.Group
	Names  []string  // of the groups
	Times  []float64 // by row; nil without FitOptions.Time
}

// take keeps the listed rows.
func (s SplitColumns) take(rows []int) SplitColumns {
	s.Groups, s.Times = pick(s.Groups, rows), pick(s.Times, rows)
	return s
}

// pick lists values of some rows; nil of none.
func pick[V any](values []V, rows []int) (some []V) {
	if values == nil {
		return nil
	}
	for _, row := range rows {
		some = append(some, values[row])
	}
	return some
}

// Plan completes a plan of folds by the columns.
func (s SplitColumns) Plan(p folds.Plan) folds.Plan {
	p.Groups, p.Times = s.Groups, s.Times
	return p
}

// checkSplits refuses options that divide no rows: a *tabular.Error about a column, or an
// *OptionError.
func (o FitOptions) checkSplits(table *tabular.Table) error {
	switch {
	case o.Group != "" && o.Time != "":
		return optionError("Time", "rows are divided by groups or by time, not by both: leave "+
			"Group or Time out")
	case o.Target != "" && (o.Group == o.Target || o.Time == o.Target):
		return &tabular.Error{File: table.File, Column: o.Target,
			Msg:  "the target says neither which rows belong together nor which came first",
			Hint: "name another column"}
	}
	return nil
}

// readSplits reads the groups and times of the rows of the context of a labelled table. The error
// is a *tabular.Error about a column.
func (t *Training) readSplits(table *tabular.Table) (err error) {
	o := t.Options
	if o.Group != "" {
		t.Splits.Groups, t.Splits.Names, err = wholeGroups(t.Schema, table, o.Group)
	}
	if o.Time != "" && err == nil {
		t.Splits.Times, err = table.Times(o.Time)
	}
	if t.Places != nil {
		t.Splits = t.Splits.take(t.Places)
	}
	return err
}

// wholeGroups numbers the groups of all rows of a table. Missing cells are an error: nobody knows
// which group these rows belong to.
func wholeGroups(s *tabular.Schema, table *tabular.Table, column string) (of []int, names []string,
	err error) {
	var all []string
	for _, b := range table.Batches {
		cells, err := s.Texts(b, column)
		if err != nil {
			return nil, nil, err
		}
		for i := range b.Rows() {
			name, ok := cells(i)
			if !ok {
				return nil, nil, &tabular.Error{File: table.File, Row: int64(len(all) + 1), Column: column,
					Msg:  "the cell is empty, so the group of the row is not known",
					Hint: "fill the cell in or remove the row"}
			}
			all = append(all, name)
		}
	}
	names = slices.Compact(slices.Sorted(slices.Values(all)))
	of = make([]int, len(all))
	for i, name := range all {
		of[i], _ = slices.BinarySearch(names, name)
	}
	return of, names, nil
}
