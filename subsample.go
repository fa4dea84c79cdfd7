package pfnamp

import (
	"math/rand/v2"
	"slices"

	"github.com/pfnamp/pfnamp/pfn"
)

// subsampleStream tells the random stream of a subsample from others of the same seed.
const subsampleStream = 0x5375_6273_616d_706c

// draw keeps at most Options.Subsample rows, drawn at random without replacement, in their order.
// Columns and categories remain those of the whole table.
func (t *Training) draw() {
	all, opt := t.Data, t.Options
	if opt.Subsample == 0 || all.X.Rows <= opt.Subsample {
		return
	}
	random := rand.New(rand.NewPCG(opt.Seed, subsampleStream))
	t.Drawn = random.Perm(all.X.Rows)[:opt.Subsample]
	slices.Sort(t.Drawn)
	t.Data = rowsOf(all, t.Drawn)
	t.Warnings = append(t.Warnings, DrawnRows{len(t.Drawn), all.X.Rows, opt.Seed})
}

// rowsOf is a copy of some rows of a table.
func rowsOf(t pfn.Training, rows []int) pfn.Training {
	part := pfn.Training{X: t.X.Take(rows), Categorical: t.Categorical, Y: make([]float64, len(rows))}
	for to, from := range rows {
		part.Y[to] = t.Y[from]
	}
	return part
}
