package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/evaluate"
)

// evaluateShards is how an evaluation is divided among processes.
type evaluateShards struct {
	part  shard    // to compute, all without
	merge []string // folders of shards
}

// parseShards reads evaluateShardFlags.
func (o *evaluateOptions) parseShards(c *cli.Context) error {
	var err error
	if o.shards.part, err = parseShardText(c, "an evaluation"); err != nil {
		return err
	}
	if o.shards.merge, err = list(c, "merge"); err != nil {
		return err
	}
	if c.IsSet("merge") && len(o.shards.merge) == 0 {
		return fault.Option("merge", "is empty", "name the folders of the shards")
	}
	return nil
}

// takeShard leaves the parts of the shard to be computed.
func (j *evaluateJob) takeShard(context.Context) error {
	part := j.opt.shards.part
	if part.count == 0 {
		return nil
	}
	all := len(j.cells)
	j.cells = evaluate.Shard(j.cells, int(part.number), int(part.count))
	j.notef("shard %s: %d of %s", part, len(j.cells), count(all, "part"))
	return nil
}

// merge opens the folder of the results with the parts of other folders.
func (j *evaluateJob) merge() (err error) {
	j.store, err = evaluate.MergeStores(j.opt.out, j.opt.shards.merge, j.settingNames(), j.cells)
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
func (j *evaluateJob) finishShard() {
	j.notef("%s in %s; for the results, run the command with --merge FOLDERS instead of --shard",
		count(len(j.cells), "part"), j.opt.out)
}
