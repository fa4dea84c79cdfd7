package models

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/engine"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/junit"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/self"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/pfn"
)

func verifyCommand() *cli.Command {
	return &cli.Command{
		Name: "verify", Usage: "replay a bundle's golden vectors through onnxruntime",
		ArgsUsage: "[BUNDLE...]",
		Description: `Compares the network's outputs and the results with what the exporter recorded, and shows of
every case what is nearest to its tolerance. Exit status 6: a difference above
the tolerance, another onnxruntime than --require-ort or another bundle than --expect-sha256;
4: a bundle that cannot be loaded or run.
` + replayHelp,
		Action: func(c *cli.Context) error {
			opt, err := engine.Parse(c)
			if err != nil {
				return err
			}
			names := c.Args().Slice()
			if len(names) == 0 {
				names = []string{""}
			}
			v := verification{engine: opt, out: c.App.Writer, json: c.Bool("json"),
				library: c.String("require-ort"), sha256: strings.ToLower(c.String("expect-sha256"))}
			if v.json || c.Bool("quiet") {
				v.out = io.Discard
			}
			return v.run(c.Context, names, c.String("junit"), stdio.Of(c))
		},
	}
}

// verification checks bundles one after the other; a fault of one does not hide the others. Whether
// standard output took what was printed is known at the end of the program, so that a file for the
// CI is written although nobody reads.
type verification struct {
	engine  pfn.Options
	out     io.Writer // for the cases
	json    bool
	library string // version of onnxruntime that is required, "" for any
	sha256  string // of the bundle that is expected, "" for any
	done    []verified
}

// verified is what was found of one bundle.
type verified struct {
	Model   string       `json:"model"` // as it was named
	Seconds float64      `json:"seconds"`
	Error   *fault.Error `json:"error,omitempty"`
	*replay
}

func (v *verification) run(
	ctx context.Context, names []string, report string, std stdio.Streams,
) error {
	file := output.Places{Out: report}
	err := file.Try(ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		if len(names) > 1 {
			fmt.Fprintln(v.out, name)
		}
		if v.check(ctx, name); ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	if report != "" {
		err = output.WriteFile(ctx, report, func(w io.Writer) error {
			return junit.Write(w, v.suites()...)
		})
		if err != nil {
			return err
		}
	}
	if v.json {
		err = stdio.JSON(std.Out, v.done)
	} else {
		err = std.Lines(v.summary())
	}
	if err != nil {
		return fault.Writing(err)
	}
	return v.verdict()
}

func (v *verification) check(ctx context.Context, name string) {
	start, found := time.Now(), verified{Model: cmp.Or(name, "default")}
	r, err := replayInChild(ctx, name, v.engine)
	found.Seconds = time.Since(start).Seconds()
	if err == nil {
		found.replay = &r
		r.print(v.out)
		err = v.required(r)
	}
	if err != nil {
		told := fault.Classify(ctx, err)
		found.Error = &told
		fmt.Fprintln(v.out, "FAILED") // verdict says why
	}
	v.done = append(v.done, found)
}

// required refuses another bundle or another library than asked for.
func (v *verification) required(r replay) error {
	switch {
	case v.sha256 != "" && v.sha256 != r.SHA256:
		return fault.New(fault.Check, fmt.Sprintf("model %s has the sha256 %s, not %s of "+
			"--expect-sha256", r.Name, r.SHA256, v.sha256), "get the bundle that was meant; the sha256 "+
			"is that of its manifest.json, and `pfnamp models show` tells it")
	case v.library != "" && v.library != r.Onnxruntime:
		return fault.New(fault.Check, fmt.Sprintf("model %s ran on onnxruntime %s, not %s of "+
			"--require-ort", r.Name, r.Onnxruntime, v.library), "name the library of that version: "+
			"--ort-lib PATH")
	}
	return nil
}

func (v *verification) summary() string {
	var ok, differ, failed, cases int
	for _, found := range v.done {
		switch {
		case found.Error != nil:
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
		words.Count(len(v.done), "bundle"), ok, differ, failed, words.Count(cases, "case"))
}

// verdict is the error of all bundles. One that could not be run counts more than a difference.
func (v *verification) verdict() error {
	var failed []error
	var unrun *fault.Error
	for _, found := range v.done {
		switch {
		case found.Error != nil:
			failed = append(failed, found.Error)
			if unrun == nil || unrun.Kind == fault.Check {
				unrun = found.Error
			}
		case !found.OK:
			failed = append(failed, fault.New(fault.Check,
				fmt.Sprintf("model %s differs from its golden vectors", found.Name), ""))
		}
	}
	all := errors.Join(failed...)
	if unrun == nil || len(failed) == 1 {
		return all
	}
	told := *unrun
	told.Msg = all.Error()
	return &told
}

// suites are the bundles as test suites with a test for every case. A bundle that cannot be run is
// one error.
func (v *verification) suites() (suites []junit.Suite) {
	for _, found := range v.done {
		s := junit.Suite{Name: found.Model, Seconds: fmt.Sprintf("%.3f", found.Seconds)}
		class := "models.verify." + filepath.Base(found.Model)
		if found.Error != nil {
			s.Add(junit.Case{Class: class, Name: "run", Error: &junit.Message{Text: found.Error.Msg}})
		}
		if found.replay == nil {
			found.replay = &replay{Program: self.Version()}
		}
		s.Facts = &[]junit.Fact{{Name: "pfnamp", Value: found.Program},
			{Name: "onnxruntime", Value: found.Onnxruntime}, {Name: "sha256", Value: found.SHA256}}
		for _, c := range found.Cases {
			test := junit.Case{Class: class, Name: c.Name, Seconds: fmt.Sprintf("%.3f", c.Seconds)}
			if !c.OK {
				test.Failure = &junit.Message{Text: fmt.Sprintf(
					"%s: largest difference %s, tolerance %.1e", c.Part, c.difference(), c.Tolerance)}
			}
			s.Add(test)
		}
		suites = append(suites, s)
	}
	return suites
}

func (r replay) print(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CASE\tPART\tMAX DIFFERENCE\tTOLERANCE\tRESULT")
	for _, c := range r.Cases {
		result := "ok"
		if !c.OK {
			result = "DIFFERS"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%.1e\t%s\n", c.Name, c.Part, c.difference(), c.Tolerance, result)
	}
	w.Flush()
	fmt.Fprintf(out, "pfnamp %s, onnxruntime %s\n", r.Program, r.Onnxruntime)
	as := map[string]string{"manifest": "as the exporter measured",
		"default": "the default, because the manifest has no golden_tolerances"}[r.From]
	if as != "" {
		fmt.Fprintf(out, "precision %s: networks and results may differ by %.2g, %s\n", r.Precision,
			r.Tolerance, as)
	}
}

func (c replayCase) difference() string {
	if math.IsNaN(float64(c.Difference)) {
		return "not finite"
	}
	return fmt.Sprintf("%.1e", float64(c.Difference))
}
