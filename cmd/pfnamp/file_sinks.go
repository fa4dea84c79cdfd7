package main

import (
	"context"

	"github.com/urfave/cli/v2"
)

// fileSink is a further output of predict: a file that a flag names.
type fileSink struct {
	flag, usage string
	open        func(opening, context.Context, string) (sink, error)
}

// fileSinks lists them. A new one is a line here: what reads flags and completes them, compares
// destinations, opens sinks and lists what was written asks this table. A function, so that sinks
// may ask it.
func fileSinks() []fileSink {
	return []fileSink{
		{samplesFile, "write the --samples to `FILE` instead, one line per row of TEST and draw",
			opening.openLabelDraws},
	}
}

// parseFiles reads the flags.
func (o *predictOptions) parseFiles(c *cli.Context) error {
	o.files = map[string]string{}
	for _, s := range fileSinks() {
		path := c.String(s.flag)
		switch {
		case c.IsSet(s.flag) && path == "":
			return noFile("--" + s.flag)
		case path == "-":
			return noStandardOutput("--" + s.flag)
		}
		o.files[s.flag] = path
	}
	return nil
}

// filePaths are the files in the order of the table, "" for none.
func (o *predictOptions) filePaths() (paths []string) {
	for _, s := range fileSinks() {
		paths = append(paths, o.files[s.flag])
	}
	return paths
}
