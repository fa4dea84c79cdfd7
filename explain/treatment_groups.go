package explain

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/joint"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// MostTreatmentGroups is the largest number of values of a column that [Treatment.By] takes.
const MostTreatmentGroups = 20

// TreatmentGroup is the effect of a treatment in the rows with one value of a column.
type TreatmentGroup struct {
	Value string
	Rows  [2]int // of the arms
	// Effect is the adjusted difference second - first, averaged over these rows. It has no points if
	// an arm has fewer than 10 of them.
	Effect joint.Effect
}

// By computes the effect in every group of rows with the same value of a column, ascending. Rows
// without a value are in no group. All groups come from the regressions of the whole effect, so a
// group has a narrower interval than it would have as a table of its own. The error is a
// *tabular.Error about the column.
func (t *Treatment) By(name string) ([]TreatmentGroup, error) {
	c, members, err := treatmentGroups(t.schema, t.table, t.Column, name)
	if err != nil {
		return nil, err
	}
	var groups []TreatmentGroup
	for _, v := range slices.Sorted(maps.Keys(members)) {
		groups = append(groups, t.group(c.lend(t.table.X.Row(members[v][0])), name, members[v]))
	}
	if c.Categories != nil {
		slices.SortStableFunc(groups, func(a, b TreatmentGroup) int {
			return cmp.Compare(a.Value, b.Value)
		})
	}
	return groups, nil
}

// CheckTreatmentGroups checks, before the effect is computed, that [Treatment.By] accepts a column.
// The error is that of By.
func CheckTreatmentGroups(f *pfnamp.Fitted, treatment, name string) error {
	table, _, _ := f.WholeContext()
	_, _, err := treatmentGroups(f.Schema(), table, treatment, name)
	return err
}

// treatmentGroups finds the rows of every value of a column.
func treatmentGroups(
	s *tabular.Schema, table pfn.Training, treatment, name string,
) (*column, map[float64][]int, error) {
	c, err := findColumn(s, name)
	if err != nil {
		return nil, nil, err
	}
	if name == treatment {
		return nil, nil, &tabular.Error{File: s.File, Column: name, Msg: "it is the treatment itself",
			Hint: "name the column of the groups"}
	}
	members := map[float64][]int{}
	for i := range table.X.Rows {
		if v := table.X.Row(i)[c.at]; !c.lacks(v) {
			members[v] = append(members[v], i)
		}
	}
	if len(members) > MostTreatmentGroups {
		return nil, nil, &tabular.Error{File: s.File, Column: name,
			Msg: fmt.Sprintf("it has %d values, and groups are at most %d", len(members),
				MostTreatmentGroups), Hint: "name a column with few values"}
	}
	return c, members, nil
}

// group is the effect in some rows.
func (t *Treatment) group(value Value, name string, rows []int) TreatmentGroup {
	g := TreatmentGroup{Value: value.Text, Effect: joint.Effect{Contrast: true, Rows: len(rows),
		Name: t.Arms[1] + " - " + t.Arms[0] + ", " + name + " = " + value.Text}}
	for _, i := range rows {
		g.Rows[t.outcomes[0][i].arm]++
	}
	if min(g.Rows[0], g.Rows[1]) < leastArm {
		return g
	}
	for _, all := range t.outcomes {
		of := make([]outcome, len(rows))
		for k, i := range rows {
			of[k] = all[i]
		}
		points, draws := armMeans(of, true, t.seed)
		addDifference(&g.Effect, points, draws)
	}
	return g
}
