// Package engine reads how a model is run, and words what it has no memory for.
package engine

import (
	"runtime"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/pfn"
)

// Parse reads the flags that say how any model is run.
func Parse(c *cli.Context) (pfn.Options, error) {
	opt := pfn.Options{Device: c.String("device"), Threads: c.Int("threads"),
		Library: c.String("ort-lib"), Precision: c.String("precision")}
	if n := c.Int("cpus"); n > 0 {
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
			return opt, fault.Option("time-limit", strconv.Quote(text)+" is not a time",
				"for example 90s, 30m or 1h30m; none: no limit")
		}
		opt.TimeLimit = limit
	}
	return opt, nil
}
