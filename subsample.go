package pfnamp

import (
	"math/rand/v2"
	"slices"

	"github.com/pfnamp/pfnamp/pfn"
)

// subsampleStream tells the random stream of a subsample from others of the same seed.
const subsampleStream = 0x5375_6273_616d_706c

// draw returns at most Options.Subsample of the given rows, drawn at random without replacement, in
// their order. Columns and categories remain those of the whole table.
func (t *Training) draw(rows []int) []int {
	opt := t.Options
	if opt.Subsample == 0 || len(rows) <= opt.Subsample {
		return rows
	}
	random := rand.New(rand.NewPCG(opt.Seed, subsampleStream))
	places := random.Perm(len(rows))[:opt.Subsample]
	slices.Sort(places)
	drawn := make([]int, len(places))
	for i, place := range places {
		drawn[i] = rows[place]
	}
	t.Warnings = append(t.Warnings, DrawnRows{len(drawn), len(rows), opt.Seed})
	return drawn
}

// rowsOf is a copy of some rows of a table.
func rowsOf(t pfn.Training, rows []int) pfn.Training {
	part := pfn.Training{X: t.X.Take(rows), Categorical: t.Categorical, Y: make([]float64, len(rows))}
	for to, from := range rows {
		part.Y[to] = t.Y[from]
	}
	return part
}
