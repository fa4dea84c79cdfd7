//go:build cgo && (linux || darwin || windows)

package ort

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	onnx "github.com/yalue/onnxruntime_go"
)

// A Binding is a session some of whose inputs stay the same: they are copied to the device of the
// session once, when they are bound, instead of with every run. One run takes place at a time.
type Binding struct {
	session *Session
	mu      sync.Mutex
	native  *onnx.IoBinding // nil when closed
	pins    runtime.Pinner  // of the fixed inputs
	kept    []onnx.Value    // the fixed inputs
	free    []Port          // the other inputs
	stuck   bool            // a run was given up: nothing is freed
}

// Bind makes a binding of the session with fixed inputs, which must not change until it is closed.
// The binding must be closed before the session. Errors are an [*Error] or [ErrClosed].
func (s *Session) Bind(fixed map[string]Tensor) (*Binding, error) {
	s.closing.RLock()
	defer s.closing.RUnlock()
	if s.native == nil {
		return nil, ErrClosed
	}
	for name := range fixed {
		if !slices.ContainsFunc(s.inputs, func(p Port) bool { return p.Name == name }) {
			return nil, unknownInput(fixed, s.inputs)
		}
	}
	native, err := s.native.CreateIoBinding()
	if err != nil {
		return nil, statusError("binding inputs", err)
	}
	env.live.Add(1)
	b := &Binding{session: s, native: native}
	for _, port := range s.inputs {
		t, ok := fixed[port.Name]
		if !ok {
			b.free = append(b.free, port)
			continue
		}
		v, err := b.bind(port, t, &b.pins, native.BindInput)
		if v != nil {
			b.kept = append(b.kept, v)
		}
		if err != nil {
			return nil, errors.Join(err, b.Close())
		}
	}
	return b, nil
}

// bind wraps a tensor in place and binds it to a port.
func (b *Binding) bind(
	port Port, t Tensor, pins *runtime.Pinner, to func(string, onnx.Value) error,
) (onnx.Value, error) {
	if err := accept(port, t); err != nil {
		return nil, err
	}
	if len(t.Data) > 0 {
		pins.Pin(&t.Data[0])
	}
	v, err := onnx.NewTensor(t.Shape, t.Data)
	if err != nil {
		return nil, statusError("wrapping "+port.Name, err)
	}
	env.live.Add(1)
	return v, statusError("binding "+port.Name, to(port.Name, v))
}

// Run computes the named outputs of the given shapes from the other inputs. A shape that is not the
// output's is an error.
//
// The library cannot be told to stop a run of a binding. When ctx ends, the run is awaited as
// [Session.Run] awaits one, and the error wraps the cause; one that goes on for 10 s is given up.
// Other errors are an [*Error] or [ErrClosed].
func (b *Binding) Run(
	ctx context.Context, in map[string]Tensor, shapes map[string][]int64,
) (map[string]Tensor, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.session
	s.closing.RLock()
	defer s.closing.RUnlock()
	if b.native == nil || s.native == nil {
		return nil, ErrClosed
	}
	if err := context.Cause(ctx); err != nil {
		return nil, fmt.Errorf("onnxruntime: running the graph: %w", err)
	}
	r := &boundRun{binding: b, out: map[string]Tensor{}}
	err := r.wrap(in, shapes)
	if err == nil {
		err = r.execute(ctx)
	}
	if !b.stuck {
		r.release()
	}
	if err != nil {
		return nil, err
	}
	return r.out, nil
}

// A boundRun is what one run of a binding uses besides its fixed inputs.
type boundRun struct {
	binding *Binding
	pins    runtime.Pinner
	values  []onnx.Value
	out     map[string]Tensor
}

// wrap binds the inputs that vary, and room for the outputs.
func (r *boundRun) wrap(in map[string]Tensor, shapes map[string][]int64) error {
	b := r.binding
	for _, port := range b.free {
		t, ok := in[port.Name]
		if !ok {
			return inputError(port, "it is missing")
		}
		if err := r.bind(port, t, b.native.BindInput); err != nil {
			return err
		}
	}
	if len(in) > len(b.free) {
		return unknownInput(in, b.free)
	}
	for _, port := range b.session.outputs {
		shape, ok := shapes[port.Name]
		if !ok {
			continue
		}
		size := int64(1)
		for _, d := range shape {
			size *= d
		}
		r.out[port.Name] = Tensor{shape, make([]float32, size)}
		if err := r.bind(port, r.out[port.Name], b.native.BindOutput); err != nil {
			return err
		}
	}
	return nil
}

// bind binds a tensor for this run.
func (r *boundRun) bind(port Port, t Tensor, to func(string, onnx.Value) error) error {
	v, err := r.binding.bind(port, t, &r.pins, to)
	if v != nil {
		r.values = append(r.values, v)
	}
	return err
}

// execute runs the graph.
func (r *boundRun) execute(ctx context.Context) (err error) {
	b, s := r.binding, r.binding.session
	run := func() (err error) {
		defer runtime.KeepAlive(r) // with its pins, also if the run is given up
		native := func() { err = s.native.RunWithBinding(b.native) }
		if s.ran.Load() {
			native()
		} else {
			keepingSignals(native)
		}
		return statusError("running the graph", err)
	}
	b.stuck, err = attend(ctx, "running the graph", s.grace, run, func() {})
	if b.stuck {
		s.stuck.Store(true)
	} else if err == nil {
		s.ran.Store(true)
	}
	return err
}

// release frees what the run has bound.
func (r *boundRun) release() {
	r.binding.native.ClearBoundOutputs()
	for _, v := range r.values {
		destroy(v)
	}
	r.pins.Unpin()
}

// Close waits for a run in flight and frees the binding. A second Close returns [ErrClosed]. It
// returns [ErrStuck] and frees nothing where a run was given up.
func (b *Binding) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stuck {
		return ErrStuck
	}
	if b.native == nil {
		return ErrClosed
	}
	errs := []error{destroy(b.native)}
	for _, v := range b.kept {
		errs = append(errs, destroy(v))
	}
	b.native, b.kept = nil, nil
	b.pins.Unpin()
	return errors.Join(errs...)
}
