//go:build cgo && (linux || darwin)

package ort

import (
	"runtime"

	onnx "github.com/yalue/onnxruntime_go"
)

// A tuning holds the session options that were chosen by measurement.
type tuning struct {
	spin    bool // idle threads of the pool spin instead of sleeping
	arena   bool // the CPU allocator keeps freed memory
	pattern bool // one allocation per run, planned from the shapes of the first
}

// defaultTuning is what NewSession uses.
var defaultTuning = tuning{}

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

// configure sets everything but the device. Without an explicit number of threads the library
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
		func() error { return o.SetLogSeverityLevel(onnx.LoggingLevelFatal) },
		func() error { return o.SetCpuMemArena(t.arena) },
		func() error { return o.SetMemPattern(t.pattern) },
		func() error { return o.AddSessionConfigEntry("session.intra_op.allow_spinning", spin) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
