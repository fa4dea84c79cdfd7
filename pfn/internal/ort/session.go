//go:build cgo && (linux || darwin)

package ort

import (
	"errors"
	"sync"
	"sync/atomic"

	onnx "github.com/yalue/onnxruntime_go"
)

// A Session is one loaded graph. It may be run by many goroutines at once.
type Session struct {
	rt              *Runtime
	native          *onnx.DynamicAdvancedSession
	inputs, outputs []Port
	placement       Placement
	ran             atomic.Bool  // a run has been finished; until then handlers are guarded
	closing         sync.RWMutex // read-locked by runs
}

// NewSession loads the ONNX graph model, optimises it and places it on a device. All inputs and
// outputs of the graph must be float32 tensors. The bytes of model are not needed afterwards.
//
// The error is an [*Error] with the library's own words, or a [*DeviceError].
func (r *Runtime) NewSession(model []byte, opt SessionOptions) (*Session, error) {
	return r.newSession(model, opt, defaultTuning)
}

// newSession is NewSession with the tuning open, for measurements.
func (r *Runtime) newSession(model []byte, opt SessionOptions, t tuning) (*Session, error) {
	inputs, outputs, err := ports(model)
	if err != nil {
		return nil, &Error{Op: "loading the graph", Status: err.Error()}
	}
	choice, err := r.choose(opt.Device)
	if err != nil {
		return nil, err
	}
	s := &Session{rt: r, inputs: inputs, outputs: outputs, placement: choice.Placement}
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

// Outputs returns the declared outputs, which is the order of the results of Run.
func (s *Session) Outputs() []Port { return s.outputs }

// Placement returns the device that the session runs on and why.
func (s *Session) Placement() Placement { return s.placement }

// Close waits for the runs in flight and frees the session.
func (s *Session) Close() error {
	s.closing.Lock()
	defer s.closing.Unlock()
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
