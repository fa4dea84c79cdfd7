package explain

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/joint"
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
	c, err := findColumn(t.schema, name)
	if err != nil {
		return nil, err
	}
	members := map[float64][]int{}
	for i := range t.table.X.Rows {
		if v := t.table.X.Row(i)[c.at]; !math.IsNaN(v) && !(c.Categories != nil && v < 0) {
			members[v] = append(members[v], i)
		}
	}
	switch {
	case name == t.Column:
		return nil, &tabular.Error{File: t.schema.File, Column: name, Msg: "it is the treatment itself",
			Hint: "name the column of the groups"}
	case len(members) > MostTreatmentGroups:
		return nil, &tabular.Error{File: t.schema.File, Column: name,
			Msg: fmt.Sprintf("it has %d values, and groups are at most %d", len(members),
				MostTreatmentGroups), Hint: "name a column with few values"}
	}
	var groups []TreatmentGroup
	for _, v := range sortedKeys(members) {
		groups = append(groups, t.group(c.lend(t.table.X.Row(members[v][0])), name, members[v]))
	}
	if c.Categories != nil {
		slices.SortStableFunc(groups, func(a, b TreatmentGroup) int {
			return cmp.Compare(a.Value, b.Value)
		})
	}
	return groups, nil
}

// group is the effect in some rows.
func (t *Treatment) group(value Value, name string, rows []int) TreatmentGroup {
	g := TreatmentGroup{Value: value.Text, Effect: joint.Effect{Contrast: true, Rows: len(rows),
		Name: t.Arms[1] + " - " + t.Arms[0] + ", " + name + " = " + value.Text}}
	for _, i := range rows {
		g.Rows[armOf(t.outcomes[0][i])]++
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
		change := make([]float64, len(draws[0]))
		for b := range change {
			change[b] = draws[1][b] - draws[0][b]
		}
		add(&g.Effect, points[1]-points[0], change)
	}
	return g
}
