// Package fit has the command `pfnamp fit`.
package fit

import (
	"context"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
)

const fitHelp = `Reads and encodes TRAIN once, as predict does, and saves what the network remembers.

   pfnamp fit train.csv --target price -o price.state
   pfnamp predict price.state test.csv > out.csv

Predictions from STATE have the same bytes as from TRAIN, and come sooner. A STATE works with
the same bundle only. --half halves its size, and predictions change a little.
STATE CONTAINS THE TRAINING DATA: give it only to people who may have TRAIN.`

// fitJob is one run of `pfnamp fit`.
type fitJob struct {
	run.Job
	out  string
	half bool // of half precision
}

// Command is `pfnamp fit`.
func Command() *cli.Command {
	j := new(fitJob)
	return j.Command(&cli.Command{
		Name:        "fit",
		Usage:       "encode TRAIN once and save it for any number of predictions",
		ArgsUsage:   "TRAIN",
		Description: fitHelp,
	}, j.parse, j.run)
}

func (j *fitJob) parse(c *cli.Context) (err error) {
	j.From.SkipUnused()
	j.out, j.half = c.String("output"), c.Bool("half")
	if j.out == "" || j.out == "-" {
		return fault.Option("output", "is missing: fit writes a file", "name the file: -o STATE")
	}
	if err := j.From.ParseTrain(c.Args().First()); err != nil {
		return err
	}
	return output.CheckDistinct(j.out, j.From.Train)
}

func (j *fitJob) run(ctx context.Context) error {
	defer j.Close()
	lap, name, to := j.Clock.Lap, filepath.Base(j.From.Train), output.Places{Out: j.out}
	return j.Steps(ctx, j.LoadBundle, j.Doing("reading "+name, j.Open), lap("read"), to.Try,
		j.Doing("loading the model", j.OpenModel), lap("model"),
		j.Doing("the model reads "+name, j.Fit), lap("context"), j.save, lap("write"),
		func(ctx context.Context) error { return j.TellResult(ctx, to, nil) })
}

func (j *fitJob) save(ctx context.Context) error {
	if _, err := j.Fitted.Context().Companion(ctx); err != nil { // of the state
		return err
	}
	return j.Save(ctx, j.out, j.half)
}
