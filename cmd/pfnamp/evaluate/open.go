package evaluate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
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
		return forNumbers(j.Bundle.Manifest.Name+" is a classifier",
			"evaluate scores the probability of every class")
	}
	j.takeRows(j.Training.Data, j.Training.Splits)
	return nil
}

// forNumbers refuses --functional; who are the models, and what they do without it.
func forNumbers(who, what string) error {
	return fault.Option("functional", "is for numbers, and "+who, "drop --functional: "+what)
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

func (j *job) parseShards(c *cli.Context) (err error) {
	if j.part, err = run.ParseShardText(c, "an evaluation"); err != nil {
		return err
	}
	if j.merged, err = run.List(c, "merge"); err == nil && c.IsSet("merge") && j.merged == nil {
		return fault.Option("merge", "is empty", "name the folders of the shards")
	}
	return err
}

// takeShard leaves the parts of the shard to be computed.
func (j *job) takeShard(context.Context) error {
	part := j.part
	if part.Count == 0 {
		return nil
	}
	all := len(j.cells)
	j.cells = evaluate.Shard(j.cells, int(part.Number), int(part.Count))
	j.Notef("shard %s: %d of %s", part, len(j.cells), words.Count(all, "part"))
	return nil
}

// merge opens the folder of the results with the parts of other folders.
func (j *job) merge() (err error) {
	j.store, err = evaluate.MergeStores(j.out, j.merged, j.settingNames(), j.cells)
	missing, other := (*evaluate.MissingError)(nil), (*evaluate.StoreError)(nil)
	file := (*fs.PathError)(nil)
	switch {
	case errors.As(err, &missing):
		return fault.Option("merge", ": "+missing.Error(),
			"run the missing shards; without --merge this command computes them")
	case errors.As(err, &other):
		return fault.Wrong(other.Error(), "merge shards that ran with the flags of this command")
	case errors.Is(err, fs.ErrNotExist) && errors.As(err, &file):
		return fault.Option("merge", fmt.Sprintf(": there is no %s", file.Path),
			"name the folders that shards wrote with -o")
	}
	return err
}
