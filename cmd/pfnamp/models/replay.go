package models

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/engine"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/self"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
)

// Graphs of foreign bundles are run for the first time in a child process, `pfnamp replay`, so that
// what they do to it does not hurt this one. Its bounds are a time for the whole replay, and on
// Linux the memory that it may allocate: a constant, and so much per byte of graphs and thread.
const (
	replayMemory       = 4 << 30
	replayGraphMemory  = 8
	replayThreadMemory = 16 << 20
)

const replayHelp = `The graphs run in a process of their own. If it crashes, the exit status is 4. It stops
after --time-limit (10 minutes). On Linux with a CPU it may allocate 4 GiB, 16 MiB per thread
and 8 times the size of the graphs.`

// replay is what the child reports.
type replay struct {
	Name    string       `json:"name"`
	Version string       `json:"version"`
	SHA256  string       `json:"sha256"` // of the bundle
	OK      bool         `json:"ok"`
	Cases   []replayCase `json:"cases"`

	Program     string `json:"pfnamp"` // the versions of what ran it
	Onnxruntime string `json:"onnxruntime"`

	// The least tolerance of networks and results in a precision other than float32.
	Precision string  `json:"precision"`
	Tolerance float64 `json:"tolerance,omitempty"`      // absent for float32
	From      string  `json:"tolerance_from,omitempty"` // manifest or default, likewise
}

// replayCase is the part of a golden case that is nearest to its tolerance, or furthest beyond it.
type replayCase struct {
	Name       string          `json:"case"`
	Part       string          `json:"part"` // members, the network's output, or a part of the result
	Difference evaluate.Number `json:"max_difference"`
	Tolerance  float64         `json:"tolerance"`
	OK         bool            `json:"ok"`
	Seconds    float64         `json:"seconds"`
}

func replayOf(b *models.Bundle, report pfn.Report) replay {
	r := replay{Name: b.Manifest.Name, Version: b.Manifest.Version, SHA256: b.SHA256(),
		OK: report.OK(), Precision: report.Precision, Tolerance: report.Tolerance,
		Program: self.Version(), Onnxruntime: report.Onnxruntime}
	if report.Tolerance > 0 {
		r.From = map[bool]string{true: "manifest", false: "default"}[report.Recorded]
	}
	for _, c := range report.Cases {
		p := c.Worst()
		r.Cases = append(r.Cases, replayCase{c.Name, p.Name, evaluate.Number(p.MaxDiff), p.Tolerance,
			c.OK(), c.Seconds})
	}
	return r
}

// Replay is the command of the child.
func Replay() *cli.Command {
	return &cli.Command{
		Name: "replay", Hidden: true,
		Action: func(c *cli.Context) error {
			opt, err := engine.Parse(c)
			if err != nil {
				return err
			}
			bundle, err := models.Find(c.Args().First())
			if err != nil {
				return err
			}
			return runReplay(c.Context, bundle, opt, stdio.Of(c))
		},
	}
}

// runReplay replays golden vectors until its standard input ends.
func runReplay(ctx context.Context, b *models.Bundle, opt pfn.Options, std stdio.Streams) error {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		cancel(panics.Job(func() error {
			io.Copy(io.Discard, std.In)
			return errors.New("the program that asked for the replay has ended")
		})())
	}()
	if err := limitReplay(b, opt); err != nil {
		return err
	}
	name := b.Manifest.Name + " " + b.Manifest.Version
	if limit := replayTime(opt); limit > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeoutCause(ctx, limit, &pfn.TimeLimitError{
			Model: name, Doing: "replaying its golden vectors", Limit: limit})
		defer stop()
		opt.TimeLimit = -1
	}
	report, err := stdio.UnlessStopped(ctx, func() (pfn.Report, error) {
		return pfn.Verify(ctx, b, opt)
	}, nil) // the end of the process ends what does not stop
	if err != nil && !strings.Contains(err.Error(), name) { // as errors of onnxruntime
		return fmt.Errorf("model %s: %w", name, err)
	}
	if err != nil {
		return err
	}
	return fault.Writing(stdio.JSON(std.Out, replayOf(b, report)))
}

// replayTime is the time of a whole replay, 0 for no limit.
func replayTime(opt pfn.Options) time.Duration {
	if opt.TimeLimit == 0 {
		return pfn.RunLimit(0, 0)
	}
	return max(0, opt.TimeLimit)
}

// limitReplay bounds the memory of this process, where graphs run on a CPU: drivers of other
// devices reserve more than there is.
func limitReplay(b *models.Bundle, opt pfn.Options) error {
	if opt.Device != "cpu" {
		library, _, err := pfn.FindLibrary(opt.Library, opt.Device)
		if err != nil || library.CUDA {
			return err
		}
	}
	return engine.LimitMemory(replayMemory + replayGraphMemory*uint64(b.Size()+b.HierarchySize()) +
		replayThreadMemory*uint64(cmp.Or(opt.Threads, runtime.GOMAXPROCS(0))))
}

// replayInChild replays a bundle, by a name of --model, in a child.
func replayInChild(ctx context.Context, bundle string, opt pfn.Options) (r replay, err error) {
	doing := "replaying model " + cmp.Or(bundle, "default")
	args := []string{"replay", "--device", opt.Device, "--ort-lib", opt.Library,
		"--precision", cmp.Or(opt.Precision, pfn.Float32),
		"--threads", fmt.Sprint(cmp.Or(opt.Threads, min(pfn.MaxThreads, runtime.GOMAXPROCS(0)))),
		"--cpus", fmt.Sprint(runtime.GOMAXPROCS(0)), "--time-limit", "none"}
	if limit := replayTime(opt); limit > 0 {
		args[len(args)-1] = limit.String()
		var stop context.CancelFunc // for a child that cannot stop itself
		ctx, stop = context.WithTimeoutCause(ctx, limit+2*self.Grace, &pfn.TimeLimitError{
			Model: cmp.Or(bundle, "default"), Doing: "replaying its golden vectors", Limit: limit})
		defer stop()
	}
	if bundle != "" { // an empty argument is a mistake
		args = append(args, "--", bundle)
	}
	out, err := self.Run(ctx, doing, args...)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(out, &r); err != nil {
		return r, self.Crashed(doing, "its report is damaged: "+err.Error())
	}
	return r, nil
}
