//go:build cgo && (linux || darwin || windows)

package ort

import (
	"os"
	"runtime"
	"time"

	onnx "github.com/yalue/onnxruntime_go"
)

// A tuning holds session options chosen by measurement.
type tuning struct {
	spin    bool // idle threads of the pool spin instead of sleeping
	arena   bool // the CPU allocator keeps freed memory for the next node and the next run
	pattern bool // one allocation per run, planned from an earlier run of the same shapes

	grace time.Duration // time for a native call to end after it was told to
}

// defaultTuning is the tuning of NewSession. Measured with onnxruntime 1.27.0 on 2 shared cores of
// an AMD EPYC, the graphs of the default model (4 members), CPU seconds and resident memory:
//
//	context of 2000 rows, 20 features    3.7 s with the arena, 9.5 s without
//	context of 2000 rows, 50 features    7.7 s with the arena, 19.2 s without
//	context of 350 rows, 10 features     0.30 s and 0.38 s; peak of the process 280 and 547 MB
//	90 query rows                        61 ms sleeping, 108 ms spinning
//	2 query rows                         4.7 ms sleeping, 4.0 ms spinning
//
// Without the arena every large intermediate is mapped and unmapped again. With the arena the
// session keeps its peak memory (0.87 GB for 2000 rows and 20 features) until it is closed. So
// close a session that is done; then the peak of the process is the same as without. The memory
// pattern adds 10 to 60 % of memory for varying shapes and saves no time. For repeating shapes
// (SessionOptions.Repeats) it saves 10 to 20 % of the time of blocks of 256 query rows, and 35 %
// for single rows, for up to 50 MB.
var defaultTuning = tuning{arena: true, grace: 10 * time.Second}

// newOptions builds the native session options. The caller destroys them.
func newOptions(opt SessionOptions, t tuning, c choice) (*onnx.SessionOptions, error) {
	o, err := onnx.NewSessionOptions()
	if err != nil {
		return nil, err
	}
	env.live.Add(1)
	if err := configure(o, opt, t); err != nil {
		destroy(o)
		return nil, err
	}
	if err := c.apply(o); err != nil {
		destroy(o)
		return nil, err
	}
	return o, nil
}

// severity returns how much the library says on stderr: nothing, unless PFNAMP_ORT_LOG is set.
func severity() onnx.LoggingLevel {
	if os.Getenv("PFNAMP_ORT_LOG") != "" {
		return onnx.LoggingLevelVerbose // which node runs where, among other things
	}
	return onnx.LoggingLevelFatal
}

// configure sets everything except the device. Without an explicit number of threads the library
// binds threads to the processors of the host, which fails inside a container.
func configure(o *onnx.SessionOptions, opt SessionOptions, t tuning) error {
	threads := opt.Threads
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	spin := "0"
	if t.spin {
		spin = "1"
	}
	steps := []func() error{
		func() error { return o.SetIntraOpNumThreads(threads) },
		func() error { return o.SetInterOpNumThreads(1) },
		func() error { return o.SetExecutionMode(onnx.ExecutionModeSequential) },
		func() error { return o.SetGraphOptimizationLevel(onnx.GraphOptimizationLevelEnableAll) },
		func() error { return o.SetLogSeverityLevel(severity()) },
		func() error { return o.SetCpuMemArena(t.arena) },
		func() error { return o.SetMemPattern(t.pattern || opt.Repeats) },
		func() error { return o.AddSessionConfigEntry("session.intra_op.allow_spinning", spin) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
