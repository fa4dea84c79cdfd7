// Package rows identifies rows of encoded tables, orders them and draws from them.
package rows

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Order lists the rows of a labelled table in an order that does not depend on the order in the
// table: by feature after feature, missing cells first, then by the target. Rows that are equal in
// all of them are the same for every model.
func Order(x matrix.Matrix, y []float64) []int {
	rows := make([]keyed, x.Rows)
	for i := range rows {
		rows[i].row = i
	}
	order(rows, x, y, 0)
	sorted := make([]int, len(rows))
	for i, k := range rows {
		sorted[i] = k.row
	}
	return sorted
}

// keyed is a row with a cell of it.
type keyed struct {
	cell float64
	row  int
}

// order sorts rows that are equal in the columns before column j, where column x.Cols is y.
func order(rows []keyed, x matrix.Matrix, y []float64, j int) {
	for i, k := range rows {
		switch {
		case j < x.Cols:
			rows[i].cell = x.Data[k.row*x.Cols+j]
		case j == x.Cols:
			rows[i].cell = y[k.row]
		default:
			rows[i].cell = float64(k.row)
		}
	}
	slices.SortFunc(rows, func(a, b keyed) int { return cmp.Compare(a.cell, b.cell) })
	for from, to := 0, 0; from < len(rows); from = to {
		for to < len(rows) && cmp.Compare(rows[from].cell, rows[to].cell) == 0 {
			to++
		}
		if to-from > 1 {
			order(rows[from:to], x, y, j+1)
		}
	}
}

// Draw returns up to most of the given rows, drawn at random without replacement, in their order.
// The stream separates its random numbers from others with the same seed.
func Draw(rows []int, most int, seed, stream uint64) []int {
	if len(rows) <= most {
		return rows
	}
	places := rand.New(rand.NewPCG(seed, stream)).Perm(len(rows))[:most]
	slices.Sort(places)
	drawn := make([]int, len(places))
	for i, place := range places {
		drawn[i] = rows[place]
	}
	return drawn
}
