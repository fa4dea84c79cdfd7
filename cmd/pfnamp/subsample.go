package main

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/pfn"
)

// subsampleStream tells the random stream of --subsample from others of the same seed.
const subsampleStream = 0x5375_6273_616d_706c

// parseSubsample reads --subsample and the seed that draws the rows.
func (o *contextOptions) parseSubsample(c *cli.Context) error {
	if !c.IsSet("subsample") {
		return nil
	}
	o.subsample, o.seed = c.Int("subsample"), c.Uint64("seed")
	if o.subsample < 2 {
		return &usageError{msg: fmt.Sprintf("--subsample %d: a context needs at least 2 rows",
			o.subsample)}
	}
	return nil
}

// drawContext keeps at most --subsample rows of the training table, drawn at random without
// replacement, in their order. Columns and categories remain those of the whole table.
func (j *contextJob) drawContext() {
	t := &j.training
	if j.from.subsample == 0 || t.X.Rows <= j.from.subsample {
		return
	}
	random := rand.New(rand.NewPCG(j.from.seed, subsampleStream))
	j.drawn = random.Perm(t.X.Rows)[:j.from.subsample]
	slices.Sort(j.drawn)
	x := pfn.Matrix{Rows: len(j.drawn), Cols: t.X.Cols,
		Data: make([]float64, 0, len(j.drawn)*t.X.Cols)}
	y := make([]float64, len(j.drawn))
	for i, row := range j.drawn {
		x.Data = append(x.Data, t.X.Data[row*t.X.Cols:(row+1)*t.X.Cols]...)
		y[i] = t.Y[row]
	}
	t.X, t.Y = x, y
}

// noteDrawn says which rows are the context if they are not all.
func (j *contextJob) noteDrawn(rows int) {
	if j.drawn != nil {
		j.notef("note: the context is %d of these %d rows, drawn at random with seed %d "+
			"(--subsample)", len(j.drawn), rows, j.from.seed)
	}
}

// subsampled is what metadata says of the context rows: "all", or how they were drawn.
func (o *contextOptions) subsampled() string {
	if o.subsample == 0 {
		return "all"
	}
	return fmt.Sprintf("at most %d, seed %d", o.subsample, o.seed)
}

// sourceRow is the row of the training table that a row of the context was.
func (j *contextJob) sourceRow(row int) int {
	if j.drawn == nil || row < 0 {
		return row
	}
	return j.drawn[row]
}
