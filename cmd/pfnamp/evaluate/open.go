package evaluate

import (
	"context"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/folds"
	"github.com/pfnamp/pfnamp/heldout"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/reading"
	"github.com/pfnamp/pfnamp/tabular"
)

// openTable reads the table, whose target may choose the model.
func (j *job) openTable(ctx context.Context) error {
	if err := j.checkFolder(j.From.Train); err != nil {
		return err
	}
	if err := j.LoadBundle(ctx); err != nil {
		return err
	}
	j.From.Fit.Subsample = pfnamp.WholeTable // takeRows draws rows
	if err := j.ReadTraining(ctx); err != nil {
		return err
	}
	if j.Classes() && j.asked {
		return fault.Option("functional", "is for numbers, and "+j.Bundle.Manifest.Name+
			" is a classifier", "drop --functional: evaluate scores the probability of every class")
	}
	j.takeRows(j.Training.Data, j.Training.Splits)
	return nil
}

// takeRows takes the table, thinned to the rows asked for, or to those that the model can read.
func (j *job) takeRows(t pfn.Training, by folds.Columns) {
	name := tabular.BaseName(j.From.Train)
	table := evaluate.Table{Name: name, Training: t, Columns: by}
	n, limits := j.rows, j.Bundle.Manifest.Limits
	share := max(j.setting.Share, 1-j.setting.Share)
	switch k := j.setting.Folds; {
	case k > 0 && reading.Large(t.X, len(j.Training.Target.Counts), limits):
		share = 0.1 // trees read the others; for time and memory not all of them
	case k > 0:
		share = 1 - 1/float64(k)
	}
	if most := int(float64(limits.MaxRows-1) / share); n == 0 && t.X.Rows > most {
		n = most
		j.Warnf("%s: a random part of %d rows, of these %d, is used (--rows sets how many)", name, n,
			t.X.Rows)
	}
	if n > 0 && n < t.X.Rows {
		table = table.Sample(j.setting.Seed, n)
	}
	if j.Schema != nil && j.Schema.Labels != nil {
		var present []int
		present, table.Y = heldout.Present(table.Y)
		table.Classes = j.Schema.Labels.Subset(present).Texts
	}
	j.table = table
}
