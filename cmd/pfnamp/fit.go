package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/self"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/tabular"
)

const fitHelp = `Reads and encodes TRAIN once, as predict does, and saves what the network remembers.

   pfnamp fit train.csv --target price -o price.state
   pfnamp predict price.state test.csv > out.csv

Predictions from STATE have the same bytes as from TRAIN, and come sooner. A STATE works with
the same bundle only. --half halves its size, and predictions change a little.
STATE CONTAINS THE TRAINING DATA: give it only to people who may have TRAIN.`

// fitJob is one run of `pfnamp fit`.
type fitJob struct {
	contextJob
	out  string
	half bool // of half precision
}

func fitCommand(std stdio.Streams) *cli.Command {
	return &cli.Command{
		Name:        "fit",
		Usage:       "encode TRAIN once and save it for any number of predictions",
		ArgsUsage:   "TRAIN",
		Description: fitHelp,
		Action: func(c *cli.Context) error {
			job := &fitJob{contextJob: newContextJob(std)}
			if err := job.parse(c); err != nil {
				return err
			}
			return job.run(c.Context)
		},
	}
}

func (j *fitJob) parse(c *cli.Context) (err error) {
	if j.from, err = parseContext(c); err != nil {
		return err
	}
	j.from.skipUnused()
	j.out, j.half = c.String("output"), c.Bool("half")
	if c.NArg() != 1 {
		return wrongCount(c, "one argument, TRAIN")
	}
	if j.out == "" || j.out == "-" {
		return fault.Option("output", "is missing: fit writes a file", "name the file: -o STATE")
	}
	if err := j.from.parseTrain(c.Args().First()); err != nil {
		return err
	}
	return checkDistinct(j.out, j.from.train)
}

func (j *fitJob) run(ctx context.Context) error {
	defer j.close()
	lap, name := j.clock.lap, filepath.Base(j.from.train)
	err := j.steps(ctx, j.loadBundle, j.doing("reading "+name, j.open), lap("read"))
	if err != nil {
		return err
	}
	file, err := createFile(ctx, j.out)
	if err != nil {
		return fault.Unwritable(j.out, err)
	}
	defer file.Abort()
	return j.steps(ctx, j.doing("loading the model", j.openModel), lap("model"),
		j.doing("the model reads "+name, j.fit), lap("context"),
		func(context.Context) error { return j.save(file) }, lap("write"),
		func(context.Context) error {
			if !j.from.json {
				return nil
			}
			r, err := j.result("fit", []string{j.out})
			if err != nil {
				return err
			}
			return encodeJSON(j.std.Out, r)
		})
}

// save writes the fitted context and lets the file appear.
func (j *fitJob) save(file *atomicfile.File) error {
	write := j.fitted.Save
	if j.half {
		write = j.fitted.SaveHalf
	}
	err := write(file, self.Version())
	if table, ok := errors.AsType[*tabular.Error](err); ok {
		return table
	}
	if err != nil {
		return fault.Writing(fmt.Errorf("%s: %w", j.out, atomicfile.Cause(err)))
	}
	size, err := file.Size()
	if err == nil {
		err = file.Commit()
	}
	if err != nil {
		return fault.Unwritable(j.out, err)
	}
	j.notef("%s: %s. It contains the training data: protect it like %s",
		j.out, megabytes(size), j.from.train)
	return nil
}

// megabytes writes a size of a file.
func megabytes(bytes int64) string {
	if bytes < 1e6 {
		return fmt.Sprintf("%.0f kB", float64(bytes)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}
