// Package doctor has the commands that say what the program finds on a machine.
package doctor

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/self"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
)

// doctorTimeout bounds the child that loads the library and its drivers.
const doctorTimeout = 30 * time.Second

// diagnosis is what `pfnamp doctor --json` prints.
type diagnosis struct {
	Version string    `json:"pfnamp"`
	Model   string    `json:"model"`
	SHA256  string    `json:"model_sha256"`
	Opset   int       `json:"model_opset"`
	Licence string    `json:"model_licence"`
	Others  []string  `json:"other_models,omitempty"` // embedded too
	Facts   pfn.Facts `json:"runtime"`
}

// Commands returns the commands doctor and version.
func Commands() []*cli.Command {
	return []*cli.Command{
		{
			Name:  "doctor",
			Usage: "show which onnxruntime pfnamp finds, where, and whether it works",
			Description: `Shows every step of the search. The library is loaded in a child process for at most
30 seconds, so that a broken driver cannot hang or kill pfnamp.`,
			Action: runDoctor,
		},
		{
			Name:   "version",
			Usage:  "print the versions of program, method, embedded model, onnxruntime and Go",
			Action: printVersions,
		},
	}
}

func runDoctor(c *cli.Context) (err error) {
	d, library, device := diagnosis{Version: self.Version()}, c.String("ort-lib"), c.String("device")
	if c.Bool("probe") {
		d.Facts = pfn.Doctor(c.Context, library, device)
	} else if d.Facts, err = probeInChild(c.Context, library, device); err != nil {
		return err
	}
	bundles, err := models.Embedded()
	if err != nil {
		return err
	}
	m := bundles[0].Manifest
	d.Model, d.SHA256, d.Opset, d.Licence = m.Name+" "+m.Version, bundles[0].SHA256(), m.Opset,
		m.Licence.SPDX
	for _, other := range bundles[1:] {
		d.Others = append(d.Others, other.Manifest.Name+" "+other.Manifest.Version)
	}
	if c.Bool("json") || c.Bool("probe") {
		encoder := json.NewEncoder(c.App.Writer)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(d)
	} else {
		err = d.write(c.App.Writer)
	}
	if err == nil && !c.Bool("probe") {
		return d.verdict()
	}
	return err
}

// probeInChild runs `pfnamp doctor --probe` with a time limit.
func probeInChild(ctx context.Context, library, device string) (pfn.Facts, error) {
	ctx, cancel := context.WithTimeout(ctx, doctorTimeout)
	defer cancel()
	child, err := self.Start(ctx, "doctor", "--probe", "--device", device, "--ort-lib", library)
	if err != nil {
		return pfn.Facts{}, err
	}
	child.Cancel = func() error { return child.Process.Kill() } // it only looks
	var out, errs bytes.Buffer
	child.Stdout, child.Stderr = &out, &errs
	if err := child.Run(); err != nil {
		return pfn.Facts{}, fault.New(fault.Model, fmt.Sprintf(
			"onnxruntime crashed while it was loaded: %v %s", err, bytes.TrimSpace(errs.Bytes())), "")
	}
	var d diagnosis
	if err := json.Unmarshal(out.Bytes(), &d); err != nil {
		return pfn.Facts{}, fmt.Errorf("reading the probe's report: %w", err)
	}
	return d.Facts, nil
}

// verdict is an error unless predictions can be computed.
func (d diagnosis) verdict() error {
	switch {
	case d.Facts.Problem != "":
		return fault.New(fault.Model, d.Facts.Problem, "")
	case !d.Facts.Smoke.OK:
		return fault.New(fault.Model, "onnxruntime fails in a test run: "+d.Facts.Smoke.Problem, "")
	}
	return nil
}

func (d diagnosis) write(out io.Writer) error {
	f := d.Facts
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	row("pfnamp", "%s", d.Version)
	row("model", "%s, opset %d, %s, sha256 %.12s", d.Model, d.Opset, d.Licence, d.SHA256)
	for _, other := range d.Others {
		row("model", "%s", other)
	}
	row("system", "%s/%s, %s", f.OS, f.Arch, f.Libc)
	row("processors", "%d, GOMAXPROCS %d", f.CPUs, f.GOMAXPROCS)
	limit := "none"
	if f.Limit > 0 {
		limit = fmt.Sprintf("%.1f GiB", float64(f.Limit)/(1<<30))
	}
	row("memory", "%.1f GiB, limit %s", float64(f.Memory)/(1<<30), limit)
	row("nvidia driver", "%s", cmp.Or(f.Driver.Missing, fmt.Sprintf("%s, CUDA %s, %d GPUs",
		f.Driver.Version, f.Driver.CUDA, len(f.Driver.GPUs))))
	telemetry := "on"
	if f.Telemetry.Off {
		telemetry = "off"
	}
	row("telemetry", "%s (%s)", telemetry, f.Telemetry.Variable)
	for _, step := range f.Steps {
		row("search: "+step.Where, "%s %s", step.Outcome, step.Path)
	}
	if f.Library != nil {
		row("onnxruntime", "%s, C API %d, providers %v", f.Library.Version, f.Library.API,
			f.Library.Providers)
		for _, d := range f.Devices {
			row("device "+d.Device, "%s", deviceFacts(d))
		}
		row("library", "%s", f.Library.Path)
		row("sha256", "%s", f.Library.SHA256)
		result := "ok"
		if !f.Smoke.OK {
			result = "FAILED: " + f.Smoke.Problem
		}
		row("smoke run", "%s on %s (%s), %.0f ms", result, f.Smoke.Placement.Device,
			f.Smoke.Placement.Reason, f.Smoke.Millis)
	}
	return w.Flush()
}

// deviceFacts says whether the library has a device and whether it was ever used.
func deviceFacts(d pfn.Device) string {
	switch {
	case !d.There:
		return "not in this library; to get it: " + d.Get
	case d.Proven == "":
		return "in this library, never tested by the developers: compare its results with those of cpu"
	}
	return "in this library, tested: " + d.Proven
}

func printVersions(c *cli.Context) error {
	bundles, err := models.Embedded()
	if err != nil {
		return err
	}
	facts, err := probeInChild(c.Context, c.String("ort-lib"), "cpu")
	if err != nil {
		return err
	}
	library := "not found, see `pfnamp doctor`"
	if facts.Library != nil {
		library = facts.Library.Version
	}
	lines := []string{"pfnamp       " + self.Version()}
	if commit := self.Revision(); commit != "" {
		lines = append(lines, "commit       "+commit)
	}
	lines = append(lines, "method       "+self.Method)
	for _, b := range bundles {
		lines = append(lines, fmt.Sprintf("model        %s %s", b.Manifest.Name, b.Manifest.Version))
	}
	return stdio.Of(c).Lines(append(lines,
		"onnxruntime  "+library,
		fmt.Sprintf("go           %s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH))...)
}
