package pfnamp

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/pfnamp/pfnamp/boost"
	"github.com/pfnamp/pfnamp/internal/rows"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/reading"
	"github.com/pfnamp/pfnamp/warning"
)

// large is a table that is too large for the model.
type large struct {
	whole  boost.Table
	unread []int // rows for trees; the others are the context
}

// arrange draws the rows of the context and orders them, so that a model whose members choose rows
// by position, as trends do, gives the same bytes however the table is sorted. Other models read
// the rows in the table's order, like their packages.
func (t *Training) arrange(m models.Manifest) {
	all := rows.Order(t.Data.X, t.ranks(t.Data.Y))
	context, how, classes := all, "", len(t.Target.Counts)
	switch most := t.Options.Subsample; {
	case most == 0 && reading.Large(t.Data.X, classes, m.Limits):
		how = "; boosted trees read the others"
		if t.Data.X.Cols > m.Limits.MaxFeatures {
			how += ", and choose its features"
		}
		t.large.whole = boost.Table{X: t.Data.X, Categorical: t.Data.Categorical, Y: t.Data.Y,
			Classes: classes}
		context, t.large.unread = reading.Divide(all, t.Data.Y, classes, m.Limits.MaxRows, t.Options.Seed)
		t.Options.Subsample = len(context)
	case most == 0 && m.Limits.MaxRows > 0 && len(all) > m.Limits.MaxRows:
		how = fmt.Sprintf("; the others are not read: boosted trees take up to %d classes, and the "+
			"target has %d. Merge rare classes to use all rows",
			boost.MostClasses(m.Limits.MaxFeatures), classes)
		t.Options.Subsample = m.Limits.MaxRows
		fallthrough
	case most > 0:
		context = rows.Draw(all, t.Options.Subsample, t.Options.Seed, reading.SubsampleStream)
	}
	if len(context) < len(all) {
		t.Warnings = append(t.Warnings, warning.New(warning.DrawnRows, "", "the context is %d of these "+
			"%d rows, drawn at random with seed %d%s", len(context), len(all), t.Options.Seed, how))
	}
	if len(m.Ensemble.Trends) == 0 {
		slices.Sort(context)
	}
	if t.Places = context; len(context) < len(all) || !slices.IsSorted(context) {
		t.Data, t.Splits = t.Data.Take(context), t.Splits.Take(context)
	}
}

// grow fits trees to the rows that the model does not read, if it does not read all. It reads so
// many features.
func (t *Training) grow(ctx context.Context, most int) (err error) {
	if len(t.large.unread) > 0 {
		t.Data.Trees, _, err = boost.Fit(ctx, t.large.whole,
			[]boost.Fold{{Read: t.large.unread, Held: t.Places}}, most)
		t.large = large{}
		debug.FreeOSMemory() // the network takes memory beside that of Go
	}
	return err
}
