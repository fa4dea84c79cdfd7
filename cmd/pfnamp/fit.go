package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
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

// fitOptions is the command line of `pfnamp fit`, parsed.
type fitOptions struct {
	contextOptions
	out  string
	half bool // of half precision
}

func fitCommand(std stdio.Streams) *cli.Command {
	return &cli.Command{
		Name:        "fit",
		Usage:       "encode TRAIN once and save it for any number of predictions",
		ArgsUsage:   "TRAIN",
		Description: fitHelp,
		Action:      parsed(parseFit, runFit, std),
	}
}

func parseFit(c *cli.Context) (fitOptions, error) {
	shared, err := parseContext(c)
	shared.skipUnused()
	opt := fitOptions{shared, c.String("output"), c.Bool("half")}
	if err != nil {
		return opt, err
	}
	if c.NArg() != 1 {
		return opt, wrongCount(c, "one argument, TRAIN")
	}
	if opt.out == "" || opt.out == "-" {
		return opt, fault.Option("output", "is missing: fit writes a file", "name the file: -o STATE")
	}
	return opt, opt.parseTrain(c.Args().First())
}

// runFit reads, fits and saves.
func runFit(ctx context.Context, opt fitOptions, std stdio.Streams) error {
	if err := checkDistinct(opt.out, opt.train); err != nil {
		return err
	}
	job := &contextJob{from: opt.contextOptions, std: std, clock: clock{last: time.Now()}}
	defer job.close()
	lap := job.clock.lap
	if err := job.steps(ctx, job.loadBundle,
		job.doing("reading "+filepath.Base(opt.train), job.open), lap("read")); err != nil {
		return err
	}
	file, err := createFile(ctx, opt.out)
	if err != nil {
		return fault.Unwritable(opt.out, err)
	}
	defer file.Abort()
	return job.steps(ctx, job.doing("loading the model", job.openModel), lap("model"),
		job.doing("the model reads "+filepath.Base(opt.train), job.fit), lap("context"),
		func(context.Context) error { return job.save(file, opt) }, lap("write"),
		func(context.Context) error {
			if !opt.json {
				return nil
			}
			r, err := job.result("fit", []string{opt.out})
			if err != nil {
				return err
			}
			return encodeJSON(std.Out, r)
		})
}

// save writes the fitted context and lets the file appear.
func (j *contextJob) save(file *atomicfile.File, opt fitOptions) error {
	path, write := opt.out, j.fitted.Save
	if opt.half {
		write = j.fitted.SaveHalf
	}
	err := write(file, version())
	if table, ok := errors.AsType[*tabular.Error](err); ok {
		return table
	}
	if err != nil {
		return fault.Writing(fmt.Errorf("%s: %w", path, atomicfile.Cause(err)))
	}
	size, err := file.Size()
	if err == nil {
		err = file.Commit()
	}
	if err != nil {
		return fault.Unwritable(path, err)
	}
	j.notef("%s: %s. It contains the training data: protect it like %s",
		path, megabytes(size), j.from.train)
	return nil
}

// megabytes writes a size of a file.
func megabytes(bytes int64) string {
	if bytes < 1e6 {
		return fmt.Sprintf("%.0f kB", float64(bytes)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}
