//go:build cgo && (linux || darwin || windows)

package ort

import (
	"context"
	"errors"
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

// loadSession is newSession without a limit.
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

// load creates the native session.
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

// names returns the names of the ports.
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
