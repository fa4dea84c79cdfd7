package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/check"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/doctor"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/explain"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/fit"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/forecast"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/flags"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/help"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/self"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/models"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/next"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/predict"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/serve"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/internal/panics"
)

// program runs the command that a command line names, and returns the exit status.
func program(ctx context.Context, std stdio.Streams, args []string) int {
	out := &stdio.Checked{Writer: std.Out}
	std.Out = out
	std = std.Shown()
	err := panics.Job(func() error {
		app := newApp(std)
		arranged, err := flags.Arrange(app, args)
		if err != nil {
			return err
		}
		return app.RunContext(ctx, arranged)
	})()
	if err == nil && out.Failure != nil { // help and completions are printed by others
		err = fault.Writing(fmt.Errorf("writing to standard output: %w", atomicfile.Cause(out.Failure)))
	}
	if err == nil {
		return fault.ExitOK
	}
	return tell(ctx, err, std.Err, args)
}

// tell tells the user about an error and returns the exit status.
func tell(ctx context.Context, err error, w io.Writer, args []string) int {
	f := fault.Classify(ctx, err)
	f.Print(w, wantsJSON(args))
	if caught, ok := errors.AsType[*panics.Error](err); ok && os.Getenv(fault.DebugVariable) != "" {
		w.Write(caught.Stack) // nothing is left to tell the user with
	}
	return f.Code
}

// wantsJSON tells whether errors are printed as one JSON object, also where
// the command line itself could not be parsed.
func wantsJSON(args []string) bool {
	for _, arg := range args {
		if name, value, given := strings.Cut(arg, "="); name == "--json" || name == "-json" {
			on, err := strconv.ParseBool(value)
			if given && err == nil && !on {
				continue
			}
			return true
		}
	}
	return false
}

func newApp(std stdio.Streams) *cli.App {
	app := &cli.App{
		Name:  "pfnamp",
		Usage: "predictions of a tabular foundation model, with credible intervals",
		UsageText: "pfnamp predict TRAIN TEST --target y -o OUT\n" +
			"pfnamp fit TRAIN --target y -o STATE\npfnamp predict STATE TEST -o OUT\n" +
			"pfnamp explain TRAIN --target y -o OUT\npfnamp check STATE BATCH\n" +
			"pfnamp forecast TABLE --target y -o OUT\n" +
			"pfnamp next TRAIN CANDIDATES --target y --for minimum -o OUT\n" +
			"pfnamp serve STATE...\npfnamp evaluate DATA --target y -o FOLDER\n" +
			"pfnamp models list | show | verify | import\npfnamp doctor",
		Description: `pfnamp predicts a column of a table. A pretrained network (a prior-data fitted network)
reads TRAIN and predicts the distribution of the label of every row of TEST. Credible
intervals say how well the mean, a quantile or a probability is known. They come from the
network's own posterior if it has one, as the embedded networks do, otherwise from that of
an embedded one, its companion, or from martingale posteriors (` + self.Method + `).

` + fault.ExitHelp,
		Version:         self.Version() + ", implements " + self.Method,
		Reader:          std.In,
		Writer:          std.Out,
		ErrWriter:       std.Err,
		Suggest:         false,
		HideHelpCommand: true,
		Flags:           []cli.Flag{cli.HelpFlag}, // which a command named help would replace
		// lists are split by list, which knows quotes
		DisableSliceFlagSeparator: true,
		ExitErrHandler:            func(*cli.Context, error) {}, // run reports errors
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 {
				return cli.ShowAppHelp(c)
			}
			return flags.Unknown("pfnamp", c.Args().First(), c.App.Commands)
		},
		OnUsageError: func(_ *cli.Context, err error, _ bool) error {
			return fault.Wrong(err.Error(), "see `pfnamp --help`")
		},
		Commands: []*cli.Command{
			predict.Command(), fit.Command(), explain.Command(), check.Command(), forecast.Command(),
			next.Command(), serve.Command(), evaluate.Command(), models.Command(),
			models.Replay(),
		},
	}
	app.Commands = append(app.Commands, doctor.Commands()...)
	app.Commands = append(app.Commands, help.Program{App: func() *cli.App { return newApp(std) },
		Models: models.Names, Version: self.Version()}.Commands()...)
	flags.Prepare("", app.Commands)
	return app
}
