package main

import (
	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/engine"
	"github.com/pfnamp/pfnamp/tabular"
)

// tableShare is the share of the memory that a table may take as it is read: encoding it takes
// about three times as much again.
const tableShare = 4

// parseMemory reads --memory and limits the size of tables by it.
func (o *contextOptions) parseMemory(c *cli.Context) (err error) {
	if o.memory, err = engine.Memory(c); o.memory > 0 {
		o.read.MaxBytes = min(tabular.DefaultMaxBytes, max(o.memory/tableShare, 1))
	}
	return err
}
