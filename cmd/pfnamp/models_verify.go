package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/pfn"
)

func verifyCommand(std stdio.Streams) *cli.Command {
	return &cli.Command{
		Name: "verify", Usage: "replay a bundle's golden vectors through onnxruntime",
		ArgsUsage: "[BUNDLE...]",
		Description: `Compares the network's outputs and the results with what the exporter recorded, and shows of
every case what is nearest to its tolerance. Exit status 6: a difference above
the tolerance; 4: a bundle that cannot be loaded or run.
` + replayHelp,
		Action: func(c *cli.Context) error {
			engine, err := parseEngine(c)
			if err != nil {
				return err
			}
			names := c.Args().Slice()
			if len(names) == 0 {
				names = []string{""}
			}
			v := verification{std: std, engine: engine, quiet: c.Bool("quiet") || c.Bool("json")}
			return v.run(c.Context, names, c.Bool("json"), c.String("junit"))
		},
	}
}

// verification checks bundles one after the other; a fault of one does not hide the others.
type verification struct {
	std    stdio.Streams
	engine pfn.Options
	quiet  bool
	done   []verified
}

// verified is what was found of one bundle.
type verified struct {
	Model   string       `json:"model"` // as it was named
	Seconds float64      `json:"seconds"`
	Error   *fault.Error `json:"error,omitempty"`
	*replay

	err error
}

func (v *verification) run(ctx context.Context, names []string, asJSON bool, junit string) error {
	var file finisher
	if junit != "" {
		f, err := createFile(ctx, junit)
		if err != nil {
			return fault.Unwritable(junit, err)
		}
		defer f.Abort()
		file = v.junit(f)
	}
	var unread error // of standard output, which may close before the file for the CI is written
	for _, name := range names {
		if len(names) > 1 && !v.quiet {
			unread = fault.Writing(writeLines(v.std.Out, name))
			v.quiet = unread != nil
		}
		if err := v.check(ctx, name); err != nil {
			unread, v.quiet = err, true
		}
		if unread != nil && file == nil {
			return unread
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	if file != nil {
		if err := commitTogether(file); err != nil {
			return err
		}
	}
	if unread != nil {
		return unread
	}
	var err error
	if asJSON {
		err = encodeJSON(v.std.Out, v.done)
	} else {
		err = writeLines(v.std.Out, v.summary())
	}
	if err != nil {
		return err
	}
	return v.verdict()
}

// check replays one bundle; the error is one of the output.
func (v *verification) check(ctx context.Context, name string) error {
	start, found := time.Now(), verified{Model: orDefault(name)}
	r, err := replayInChild(ctx, name, false, v.engine)
	found.Seconds = time.Since(start).Seconds()
	switch {
	case err != nil:
		told := fault.Classify(ctx, err)
		found.Error, found.err = &told, err
	case !r.OK:
		found.err = fault.New(fault.Check, fmt.Sprintf("model %s differs from its golden vectors",
			r.Name), "")

		fallthrough
	default:
		found.replay = &r
	}
	v.done = append(v.done, found)
	switch {
	case v.quiet:
		return nil
	case err != nil: // verdict says why
		return fault.Writing(writeLines(v.std.Out, "FAILED"))
	}
	return fault.Writing(writeReplay(v.std.Out, r))
}

// summary counts bundles and cases.
func (v *verification) summary() string {
	var ok, differ, failed, cases int
	for _, found := range v.done {
		switch {
		case found.replay == nil:
			failed++
			continue
		case found.OK:
			ok++
		default:
			differ++
		}
		cases += len(found.Cases)
	}
	return fmt.Sprintf("%s: %d as recorded, %d different, %d failed; %s compared",
		count(len(v.done), "bundle"), ok, differ, failed, count(cases, "case"))
}

// verdict is the error of all bundles.
func (v *verification) verdict() error {
	var failed []error
	for _, found := range v.done {
		if found.err != nil {
			failed = append(failed, found.err)
		}
	}
	if len(failed) == 1 {
		return failed[0]
	}
	return errors.Join(failed...)
}

// writeReplay prints a table of all cases.
func writeReplay(out io.Writer, r replay) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CASE\tPART\tMAX DIFFERENCE\tTOLERANCE\tRESULT")
	for _, c := range r.Cases {
		fmt.Fprintf(w, "%s\t%s\t%s\t%.1e\t%s\n", c.Name, c.Part, c.difference(), c.Tolerance,
			c.result())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(out, r.looseness.line())
	return err
}

// difference is the largest difference in words.
func (c replayCase) difference() string {
	if math.IsNaN(float64(c.Difference)) {
		return "not finite"
	}
	return fmt.Sprintf("%.1e", float64(c.Difference))
}

// result is ok, or DIFFERS.
func (c replayCase) result() string {
	if c.OK {
		return "ok"
	}
	return "DIFFERS"
}
