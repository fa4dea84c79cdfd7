// Package engine reads how a model is run, and words what it has no memory for.
package engine

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/pfn"
)

// Parse reads the flags that say how any model is run.
func Parse(c *cli.Context) (pfn.Options, error) {
	opt := pfn.Options{Device: c.String("device"), Threads: c.Int("threads"),
		Library: c.String("ort-lib"), Precision: c.String("precision")}
	runtime.GOMAXPROCS(c.Int("cpus")) // the default number of threads and workers; 0 changes nothing
	if err := checkSpace(c, cmp.Or(opt.Threads, runtime.GOMAXPROCS(0))); err != nil {
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

// Memory reads --memory, the limit of the memory of a job: 0 is none.
func Memory(c *cli.Context) (int64, error) {
	text := c.String("memory")
	switch {
	case !c.IsSet("memory"):
		return Left(pfn.MemoryLimit()), nil
	case text == "none":
		return 0, nil
	}
	limit, err := Size("memory", text, "; none: no limit")
	return Left(limit), err
}

// Left returns a limit of memory, or less if the address space is limited: Go keeps what it maps.
func Left(limit int64) int64 {
	space := int64(min(addressSpace(), math.MaxInt64))
	if space <= leastSpace || limit == 0 {
		return limit
	}
	var mapped runtime.MemStats
	runtime.ReadMemStats(&mapped)
	return min(limit, max(space-leastSpace-max(int64(mapped.HeapSys)-leastHeap, 0), 1))
}

// Size reads the value of a flag that is a number of bytes with a unit of 1024: K, M, G or T, with
// B or iB after it or not. more goes on in the remedy.
func Size(flag, text, more string) (int64, error) {
	digits := strings.TrimRight(text, "KMGTkmgtiB")
	unit := strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(text[len(digits):]), "B"), "I")
	power := strings.Index(" KMGT", unit)
	v, err := strconv.ParseFloat(digits, 64)
	bytes := v * math.Pow(1024, float64(power))
	if err != nil || len(unit) > 1 || power < 0 || !(bytes >= 1 && bytes < 1<<62) {
		return 0, fault.Option(flag, strconv.Quote(text)+" is not a size",
			"write bytes, or a number with K, M, G or T, such as 512M"+more)
	}
	return int64(bytes), nil
}

// The address space that a run maps and mostly never touches: Go, onnxruntime and its graphs, and
// for each thread a stack and the allocator's reserve. Measured as VmPeak, with one
// thread and more.
const (
	leastSpace  = 1920 << 20
	leastHeap   = 32 << 20 // within it
	threadSpace = 72 << 20
)

// checkSpace refuses an address space in which threads cannot start or the library cannot be
// loaded: that ends the process at any point, in words of the system.
func checkSpace(c *cli.Context, threads int) error {
	space, need := addressSpace(), uint64(leastSpace+threads*threadSpace)
	if space == 0 || space >= need || c.String("memory") == "none" {
		return nil
	}
	return fault.TooLarge(fmt.Errorf("the limit of virtual memory (ulimit -v) is %d MiB, and pfnamp "+
		"maps %d MiB, though it uses little", space>>20, need>>20),
		"run `ulimit -v unlimited` first, and limit the memory in use with --memory")
}

// MemoryFailure words what would fit where an estimate has exceeded the memory. rows is the flag
// that takes fewer rows, share the share of these that a context has.
func MemoryFailure(err error, rows string, share float64) error {
	e, ok := errors.AsType[*pfn.MemoryError](err)
	if !ok {
		return err
	}
	var fits []string
	for _, change := range []struct {
		flag string
		n    int
	}{
		{rows, int(float64(e.FitRows) / share)}, {"--members", e.FitMembers},
		{"--threads", e.FitThreads}, {"--batch", e.FitBatch},
	} {
		if change.n > 0 && change.flag != "" {
			fits = append(fits, fmt.Sprintf("%s %d", change.flag, change.n))
		}
	}
	hint, with := "raise the limit with --memory SIZE, or try without one: --memory none", ""
	if addressSpace() > 0 {
		hint = "run `ulimit -v unlimited` first, and limit the memory in use with --memory"
	}
	if e.WithBatch > 0 {
		with = fmt.Sprintf(" --batch %d and", e.WithBatch)
	}
	if len(fits) > 0 {
		hint = "use" + with + " " + strings.Join(fits, " or ") + "; otherwise " + hint
	}
	return fault.TooLarge(err, hint)
}
