package reading

import (
	"context"

	"github.com/pfnamp/pfnamp/boost"
	"github.com/pfnamp/pfnamp/internal/rows"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
)

// BesideTrees is the largest number of rows that a model reads of a table that is too large for it,
// while trees read the others (docs/design/posterior.md#trees).
const BesideTrees = 4000

// SubsampleStream separates the random stream of a subsample from others with the same seed.
const SubsampleStream = 0x5375_6273_616d_706c

// Large reports whether a table exceeds the limits of a model, and trees can read what it does not.
func Large(x pfn.Matrix, classes int, l models.Limits) bool {
	return l.MaxRows > 0 && classes <= boost.MostClasses(l.MaxFeatures) &&
		(x.Rows > l.MaxRows || x.Cols > l.MaxFeatures && x.Rows > 2*l.MinRows)
}

// Divide draws the context of a model that reads at most so many rows, and at most half of all. It
// returns the context and the rows for trees, both in the order of all. With classes, y are those
// of the rows, and the context has a row of each.
func Divide(all []int, y []float64, classes, most int, seed uint64) (context, unread []int) {
	drawn, has := make([]bool, len(all)), make([]bool, classes)
	for _, row := range rows.Draw(all, min(most, BesideTrees, len(all)/2), seed, SubsampleStream) {
		drawn[row] = true
		if classes > 0 {
			has[int(y[row])] = true
		}
	}
	for _, row := range all {
		if classes > 0 && !has[int(y[row])] {
			drawn[row], has[int(y[row])] = true, true
		}
		if drawn[row] {
			context = append(context, row)
		} else {
			unread = append(unread, row)
		}
	}
	return context, unread
}

// Grown returns a table that a model with these limits reads: of a large one the context, with
// trees that have read the other rows. It fails with the cause of a cancelled ctx.
func Grown(
	ctx context.Context, t pfn.Training, classes int, l models.Limits, seed uint64,
) (pfn.Training, error) {
	if !Large(t.X, classes, l) {
		return t, nil
	}
	read, unread := Divide(rows.Order(t.X, t.Y), t.Y, classes, l.MaxRows, seed)
	trees, _, err := boost.Fit(ctx, boost.Table{X: t.X, Categorical: t.Categorical, Y: t.Y,
		Classes: classes}, []boost.Fold{{Read: unread, Held: read}}, l.MaxFeatures)
	part := t.Take(read)
	part.Trees = trees
	return part, err
}
