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
	rows := make([]int, x.Rows)
	for i := range rows {
		rows[i] = i
	}
	slices.SortStableFunc(rows, func(a, b int) int {
		return cmp.Or(slices.Compare(x.Row(a), x.Row(b)), cmp.Compare(y[a], y[b]))
	})
	return rows
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
