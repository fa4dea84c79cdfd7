package evaluate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/evaluate"
)

// parseShards reads how the evaluation is divided among processes.
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

// finishShard says what is left to do, in place of results.
func (j *job) finishShard() {
	j.Notef("%s in %s; for the results, run the command with --merge FOLDERS instead of --shard",
		words.Count(len(j.cells), "part"), j.out)
}
