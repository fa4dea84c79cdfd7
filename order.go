package pfnamp

import (
	"cmp"
	"slices"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
)

// ordered lists the rows of a labelled table in an order that does not depend on how the table is
// sorted: by feature after feature, missing cells first, then by the target. Rows that are equal in all
// of them are the same to any model.
func ordered(t pfn.Training) []int {
	rows := make([]int, t.X.Rows)
	for i := range rows {
		rows[i] = i
	}
	slices.SortStableFunc(rows, func(a, b int) int {
		return cmp.Or(slices.Compare(t.X.Row(a), t.X.Row(b)), cmp.Compare(t.Y[a], t.Y[b]))
	})
	return rows
}

// arrange puts the rows of the context in order, so that a model whose members choose rows by their
// place, as trends do, gives the same bytes however the table is sorted. Other models read the rows as
// the table has them, as their packages do.
func (t *Training) arrange(m models.Manifest, rows []int) {
	if len(m.Ensemble.Trends) == 0 {
		if len(rows) == t.Data.X.Rows {
			return
		}
		slices.Sort(rows)
	}
	t.Places, t.Data = rows, rowsOf(t.Data, rows)
}
