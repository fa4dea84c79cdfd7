//go:build cgo && (linux || darwin || windows)

package ort

import (
	"context"
	"errors"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	onnx "github.com/yalue/onnxruntime_go"
)

// A Session is one loaded graph. Many goroutines may run it at once.
type Session struct {
	rt              *Runtime
	native          *onnx.DynamicAdvancedSession
	inputs, outputs []Port
	placement       Placement
	grace           time.Duration // time for a run to end after it was told to
	ran             atomic.Bool   // a run has finished; until then handlers are guarded
	stuck           atomic.Bool   // a run was abandoned: the session is never freed
	closing         sync.RWMutex  // read-locked by runs
}

// NewSession loads the ONNX graph model, optimises it and places it on a device. All inputs and
// outputs of the graph must be float32 tensors. The bytes of model are not needed afterwards.
//
// While it loads a graph, the library computes its constants and cannot be stopped. If ctx ends and
// the library does not finish within 10 s, NewSession abandons the graph, and Close of the runtime
// returns [ErrStuck]. The error then wraps the cause; otherwise it is an [*Error] with the
// library's own text, or a [*DeviceError].
func (r *Runtime) NewSession(
	ctx context.Context, model []byte, opt SessionOptions,
) (*Session, error) {
	return r.newSession(ctx, model, opt, defaultTuning)
}

// newSession is NewSession with a tuning, for measurements and tests.
func (r *Runtime) newSession(
	ctx context.Context, model []byte, opt SessionOptions, t tuning,
) (*Session, error) {
	var s *Session
	stuck, err := attend(ctx, "loading the graph", t.grace, func() (err error) {
		s, err = r.loadSession(model, opt, t)
		return err
	}, func() {})
	if stuck || err != nil {
		return nil, err
	}
	return s, nil
}

func (r *Runtime) loadSession(model []byte, opt SessionOptions, t tuning) (*Session, error) {
	inputs, outputs, err := Ports(model)
	if err != nil {
		return nil, &Error{Op: "loading the graph", Status: err.Error()}
	}
	choice, err := r.choose(opt.Device)
	if err != nil {
		return nil, err
	}
	s := &Session{rt: r, inputs: inputs, outputs: outputs, placement: choice.Placement,
		grace: t.grace}
	err = s.load(model, opt, t, choice)
	if err != nil && choice.fallback {
		s.placement = Placement{Device: "cpu", Reason: choice.Device + " failed: " + cause(err)}
		err = s.load(model, opt, t, choice.cpu())
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Session) load(model []byte, opt SessionOptions, t tuning, c choice) (err error) {
	var native *onnx.DynamicAdvancedSession
	keepingSignals(func() {
		var options *onnx.SessionOptions
		if options, err = newOptions(opt, t, c); err != nil {
			return
		}
		defer destroy(options)
		native, err = onnx.NewDynamicAdvancedSessionWithONNXData(model,
			names(s.inputs), names(s.outputs), options)
	})
	if err != nil {
		if unusable, ok := errors.AsType[*DeviceError](err); ok {
			return unusable
		}
		return statusError("loading the graph", err)
	}
	env.live.Add(1)
	s.native = native
	return nil
}

// Inputs returns the declared inputs in their order.
func (s *Session) Inputs() []Port { return s.inputs }

// Outputs returns the declared outputs, in the order of the results of Run.
func (s *Session) Outputs() []Port { return s.outputs }

// Placement returns the device of the session and the reason for it.
func (s *Session) Placement() Placement { return s.placement }

// Close waits for running calls and frees the session. If a run was abandoned, it returns
// [ErrStuck] and frees nothing.
func (s *Session) Close() error {
	s.closing.Lock()
	defer s.closing.Unlock()
	if s.stuck.Load() {
		return ErrStuck
	}
	if s.native == nil {
		return ErrClosed
	}
	err := destroy(s.native)
	s.native = nil
	return err
}

func names(ports []Port) []string {
	list := make([]string, len(ports))
	for i, p := range ports {
		list[i] = p.Name
	}
	return list
}

// A destroyer is a native handle.
type destroyer interface{ Destroy() error }

// destroy frees a handle and counts it.
func destroy(h destroyer) error {
	err := h.Destroy()
	if err == nil {
		env.live.Add(-1)
	}
	return err
}

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
