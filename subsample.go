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
	x := pfn.Matrix{Rows: len(t.Drawn), Cols: all.X.Cols,
		Data: make([]float64, 0, len(t.Drawn)*all.X.Cols)}
	y := make([]float64, len(t.Drawn))
	for i, row := range t.Drawn {
		x.Data = append(x.Data, all.X.Data[row*all.X.Cols:(row+1)*all.X.Cols]...)
		y[i] = all.Y[row]
	}
	t.Data.X, t.Data.Y = x, y
	t.Warnings = append(t.Warnings, DrawnRows{len(t.Drawn), all.X.Rows, opt.Seed})
}
