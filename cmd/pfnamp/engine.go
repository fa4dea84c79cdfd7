package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/pfn"
)

// engineFlags say how any model is run.
func engineFlags() []cli.Flag {
	const category = modelCategory
	return []cli.Flag{
		deviceFlag(category),
		&cli.StringFlag{Name: "precision", Category: category, Value: pfn.Float32,
			Usage: "`PRECISION` of the network: float32; int8: faster and less exact; " +
				"auto: int8 on processors made for it"},
		&cli.IntFlag{Name: "threads", Category: category, EnvVars: []string{"PFNAMP_THREADS"},
			DefaultText: "one per core",
			Usage:       fmt.Sprintf("run `NUMBER` onnxruntime threads, at most %d", pfn.MaxThreads)},
		&cli.IntFlag{Name: "cpus", Category: category, EnvVars: []string{"PFNAMP_CPUS"},
			DefaultText: "all", Usage: "use `NUMBER` processors, for --threads and --workers alike"},
		&cli.StringFlag{Name: "time-limit", Category: category,
			DefaultText: "10m and 50ms per cell of the table", Usage: "stop a run of the network " +
				"after `TIME`, such as 1h30m; none: no limit"},
		libraryFlag(category),
	}
}

// deviceFlag says what the network runs on.
func deviceFlag(category string) cli.Flag {
	return &cli.StringFlag{Name: "device", Category: category, Value: "auto",
		EnvVars: []string{"PFNAMP_DEVICE"},
		Usage: "run on `DEVICE`: " + strings.Join(pfn.Devices(), ", ") +
			"; a number as in cuda:1 selects a card"}
}

// parseEngine reads engineFlags.
func parseEngine(c *cli.Context) (pfn.Options, error) {
	opt := pfn.Options{Device: c.String("device"), Threads: c.Int("threads"),
		Library: c.String("ort-lib"), Precision: c.String("precision")}
	if !slices.Contains(pfn.Precisions(), opt.Precision) {
		return opt, notOneOf("--precision", opt.Precision, pfn.Precisions()...)
	}
	if opt.Threads < 0 || opt.Threads > pfn.MaxThreads {
		return opt, fault.Option("threads", fmt.Sprintf("%d is not between 0 and %d", opt.Threads,
			pfn.MaxThreads), "drop --threads for one thread per core")
	}
	if n := c.Int("cpus"); n < 0 || c.IsSet("cpus") && n == 0 {
		return opt, fault.Option("cpus", fmt.Sprintf("%d is less than 1", n), "")
	} else if n > 0 {
		runtime.GOMAXPROCS(n) // the default number of threads and workers
	}
	if err := checkSpace(c, opt.Threads); err != nil {
		return opt, err
	}
	switch text := c.String("time-limit"); text {
	case "":
	case "none", "0":
		opt.TimeLimit = -1
	default:
		limit, err := time.ParseDuration(text)
		if err != nil || limit <= 0 {
			return opt, fault.Option("time-limit", quote(text)+" is not a time",
				"for example 90s, 30m or 1h30m; none: no limit")
		}
		opt.TimeLimit = limit
	}
	return opt, nil
}
