//go:build cgo && (linux || darwin || windows)

package ort

import (
	"cmp"
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
	// Inputs and Outputs are the declared ones in their order, which the results of Run have. Do not
	// change them.
	Inputs, Outputs []Port
	Placement       Placement // the device and the reason for it

	native  *onnx.DynamicAdvancedSession
	grace   time.Duration // time for a run to end after it was told to
	ran     atomic.Bool   // a run has finished; until then handlers are guarded
	stuck   atomic.Bool   // a run was abandoned: the session is never freed
	closing sync.RWMutex  // read-locked by runs
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
	opt.grace = cmp.Or(opt.grace, usualGrace)
	var s *Session
	stuck, err := attend(ctx, "loading the graph", opt.grace, func() (err error) {
		s, err = r.loadSession(model, opt)
		return err
	}, func() {})
	if stuck || err != nil {
		return nil, err
	}
	return s, nil
}

func (r *Runtime) loadSession(model []byte, opt SessionOptions) (*Session, error) {
	inputs, outputs, err := Ports(model)
	if err != nil {
		return nil, &Error{Op: "loading the graph", Status: err.Error()}
	}
	choice, err := r.choose(opt.Device)
	if err != nil {
		return nil, err
	}
	s := &Session{Inputs: inputs, Outputs: outputs, Placement: choice.Placement, grace: opt.grace}
	err = s.load(model, opt, choice)
	if err != nil && choice.fallback {
		s.Placement = Placement{Device: "cpu", Reason: choice.Device + " failed: " + cause(err)}
		err = s.load(model, opt, choice.cpu())
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Session) load(model []byte, opt SessionOptions, c choice) (err error) {
	var native *onnx.DynamicAdvancedSession
	keepingSignals(func() {
		var options *onnx.SessionOptions
		if options, err = newOptions(opt, c); err != nil {
			return
		}
		defer destroy(options)
		native, err = onnx.NewDynamicAdvancedSessionWithONNXData(model,
			names(s.Inputs), names(s.Outputs), options)
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

// destroy frees a native handle and counts it.
func destroy(h interface{ Destroy() error }) error {
	err := h.Destroy()
	if err == nil {
		env.live.Add(-1)
	}
	return err
}

// usualGrace is the time for a native call to end after it was told to.
const usualGrace = 10 * time.Second

// newOptions builds the native session options. The caller destroys them.
func newOptions(opt SessionOptions, c choice) (*onnx.SessionOptions, error) {
	o, err := onnx.NewSessionOptions()
	if err != nil {
		return nil, err
	}
	env.live.Add(1)
	if err = configure(o, opt); err == nil {
		err = c.apply(o)
	}
	if err != nil {
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
// binds threads to the processors of the host, which fails inside a container. The rest was fastest
// on shared cores. Idle threads sleep, because spinning doubles the CPU time of 90 query rows. The
// CPU allocator keeps freed memory, because otherwise large intermediates are mapped again for
// every node (9.5 instead of 3.7 s for a context of 2000 rows and 20 features), so close a session
// that is done. The memory pattern costs 10 to 60 % of memory for varying shapes; for repeating
// ones it saves 10 to 35 % of the time.
func configure(o *onnx.SessionOptions, opt SessionOptions) error {
	threads := opt.Threads
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	steps := []func() error{
		func() error { return o.SetIntraOpNumThreads(threads) },
		func() error { return o.SetInterOpNumThreads(1) },
		func() error { return o.SetExecutionMode(onnx.ExecutionModeSequential) },
		func() error { return o.SetGraphOptimizationLevel(onnx.GraphOptimizationLevelEnableAll) },
		func() error { return o.SetLogSeverityLevel(severity()) },
		func() error { return o.SetCpuMemArena(true) },
		func() error { return o.SetMemPattern(opt.Repeats) },
		func() error { return o.AddSessionConfigEntry("session.intra_op.allow_spinning", "0") },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
