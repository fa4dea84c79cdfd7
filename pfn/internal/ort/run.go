//go:build cgo && (linux || darwin || windows)

package ort

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"time"

	onnx "github.com/yalue/onnxruntime_go"

	"github.com/pfnamp/pfnamp/internal/panics"
)

// running is what errors call a run.
const running = "running the graph"

// Run computes the outputs, in declared order, from the named inputs. It reads the inputs in place,
// without a copy, and copies the outputs into Go memory.
//
// When ctx ends, Run terminates the native run and waits for it; the error wraps the cause. The
// library checks for termination between the nodes of the graph, so one large node runs to its end.
// After 10 s, Run abandons the native run: its memory is never freed, and Close of the session and
// of the runtime return [ErrStuck]. Other errors are an [*Error] or [ErrClosed].
func (s *Session) Run(ctx context.Context, in map[string]Tensor) ([]Tensor, error) {
	s.closing.RLock()
	defer s.closing.RUnlock()
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	var w wrapped
	results := make([]onnx.Value, len(s.Outputs))
	stuck, err := s.run(ctx, &w, in, results)
	if stuck {
		return nil, err
	}
	defer w.free()
	for _, v := range results {
		if !absent(v) {
			env.live.Add(1)
			w.values = append(w.values, v)
		}
	}
	if err != nil {
		return nil, err
	}
	out := make([]Tensor, len(results))
	for i, v := range results { // the binding has copied the outputs into Go slices
		t, ok := v.(*onnx.Tensor[float32])
		if !ok {
			return nil, &Error{Op: running, Status: fmt.Sprintf("output %q is not a float32 tensor",
				s.Outputs[i].Name)}
		}
		out[i] = Tensor{Shape: t.GetShape(), Data: t.GetData()}
	}
	return out, nil
}

// run wraps the inputs and runs the graph. stuck reports that the run was abandoned.
func (s *Session) run(
	ctx context.Context, w *wrapped, in map[string]Tensor, results []onnx.Value,
) (stuck bool, err error) {
	err = w.each(s.Inputs, in, func(Port, onnx.Value) error { return nil })
	if err != nil {
		return false, err
	}
	options, err := onnx.NewRunOptions()
	if err != nil {
		return false, statusError(running, err)
	}
	env.live.Add(1)
	inputs := slices.Clone(w.values)
	// Terminate fails only for options that have been destroyed.
	stuck, err = s.execute(ctx, w, func() error {
		return s.native.RunWithOptions(inputs, results, options)
	}, func() { _ = options.Terminate() })
	if !stuck {
		destroy(options)
	}
	return stuck, err
}

// absent reports whether the binding has returned no value. If it fails, for example on an output
// of rank 0, it leaves a nil pointer inside the interface.
func absent(v onnx.Value) bool {
	return v == nil || reflect.ValueOf(v).Kind() == reflect.Pointer && reflect.ValueOf(v).IsNil()
}

// ready fails if the session is closed or ctx has ended.
func (s *Session) ready(ctx context.Context) error {
	if s.native == nil {
		return ErrClosed
	}
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("onnxruntime: %s: %w", running, err)
	}
	return nil
}

// execute makes a native call that runs the graph with wrapped tensors, and calls stop when ctx
// ends. Until a run has finished, the signal handlers are guarded.
func (s *Session) execute(
	ctx context.Context, w *wrapped, native func() error, stop func(),
) (stuck bool, err error) {
	stuck, err = attend(ctx, running, s.grace, func() (err error) {
		defer runtime.KeepAlive(w) // with its pins, also if the run is abandoned
		call := func() { err = native() }
		if s.ran.Load() {
			call()
		} else {
			keepingSignals(call)
		}
		return statusError(running, err)
	}, stop)
	if stuck {
		s.stuck.Store(true)
	} else if err == nil {
		s.ran.Store(true)
	}
	return stuck, err
}

// attend makes a native call in a goroutine of its own and waits for it. When ctx ends, attend
// calls stop and waits; if the call then fails, the error wraps the cause.
//
// Some calls do not stop: the library optimises a graph to the end, however much there is to
// compute, and does not stop in a Loop whose body has no node. After the time of grace attend gives
// the call up and returns stuck as true: the call goes on, and nothing that it uses may be freed.
func attend(
	ctx context.Context, what string, grace time.Duration, native func() error, stop func(),
) (stuck bool, err error) {
	done := make(chan error, 1)
	go func() { done <- panics.Job(native)() }()
	select {
	case err := <-done:
		return false, err
	case <-ctx.Done():
	}
	stop()
	cause := fmt.Errorf("onnxruntime: %s: %w", what, context.Cause(ctx))
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case err := <-done:
		if err == nil {
			return false, nil
		}
		return false, cause
	case <-late.C:
		env.stuck.Add(1)
		return true, fmt.Errorf("%w; it did not stop within %v and was given up", cause, grace)
	}
}

// wrapped are native values around Go slices. The library keeps the addresses between calls, so
// the slices are pinned.
type wrapped struct {
	pins   runtime.Pinner
	values []onnx.Value
}

func (w *wrapped) add(port Port, t Tensor) (onnx.Value, error) {
	if err := accept(port, t); err != nil {
		return nil, err
	}
	if len(t.Data) > 0 {
		w.pins.Pin(&t.Data[0])
	}
	v, err := onnx.NewTensor(t.Shape, t.Data)
	if err != nil {
		return nil, statusError("wrapping "+port.Name, err)
	}
	env.live.Add(1)
	w.values = append(w.values, v)
	return v, nil
}

// each adds the tensors of all ports and calls use with each.
func (w *wrapped) each(
	ports []Port, in map[string]Tensor, use func(Port, onnx.Value) error,
) error {
	for _, port := range ports {
		t, ok := in[port.Name]
		if !ok {
			return inputError(port, "it is missing")
		}
		v, err := w.add(port, t)
		if err == nil {
			err = use(port, v)
		}
		if err != nil {
			return err
		}
	}
	if len(in) > len(ports) {
		return unknownInput(in, ports)
	}
	return nil
}

func (w *wrapped) free() (err error) {
	for _, v := range w.values {
		err = errors.Join(err, destroy(v))
	}
	w.values = nil
	w.pins.Unpin()
	return err
}

// A Binding is a session some of whose inputs stay the same: they are copied to the device of the
// session once, when they are bound, instead of with every run. One run takes place at a time.
type Binding struct {
	session *Session
	mu      sync.Mutex
	native  *onnx.IoBinding // nil when closed
	fixed   wrapped
	free    []Port // the other inputs
	stuck   bool   // a run was given up: nothing is freed
}

// Bind makes a binding of the session with fixed inputs, which must not change until it is closed.
// The binding must be closed before the session. Errors are an [*Error] or [ErrClosed].
func (s *Session) Bind(fixed map[string]Tensor) (*Binding, error) {
	s.closing.RLock()
	defer s.closing.RUnlock()
	if s.native == nil {
		return nil, ErrClosed
	}
	native, err := s.native.CreateIoBinding()
	if err != nil {
		return nil, statusError("binding inputs", err)
	}
	env.live.Add(1)
	b := &Binding{session: s, native: native}
	var bound []Port
	for _, port := range s.Inputs {
		if _, ok := fixed[port.Name]; ok {
			bound = append(bound, port)
		} else {
			b.free = append(b.free, port)
		}
	}
	if err := b.fixed.each(bound, fixed, bindTo(native.BindInput)); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

func bindTo(to func(string, onnx.Value) error) func(Port, onnx.Value) error {
	return func(port Port, v onnx.Value) error {
		return statusError("binding "+port.Name, to(port.Name, v))
	}
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
	if b.native == nil {
		return nil, ErrClosed
	}
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	var w wrapped
	out, err := b.wrap(&w, in, shapes)
	if err == nil {
		b.stuck, err = s.execute(ctx, &w, func() error {
			return s.native.RunWithBinding(b.native)
		}, func() {})
	}
	if !b.stuck {
		b.native.ClearBoundOutputs()
		w.free()
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// wrap binds the inputs that vary, and room for the outputs.
func (b *Binding) wrap(
	w *wrapped, in map[string]Tensor, shapes map[string][]int64,
) (map[string]Tensor, error) {
	if err := w.each(b.free, in, bindTo(b.native.BindInput)); err != nil {
		return nil, err
	}
	out := map[string]Tensor{}
	for _, port := range b.session.Outputs {
		shape, ok := shapes[port.Name]
		if !ok {
			continue
		}
		size := int64(1)
		for _, d := range shape {
			size *= d
		}
		out[port.Name] = Tensor{shape, make([]float32, size)}
		v, err := w.add(port, out[port.Name])
		if err == nil {
			err = bindTo(b.native.BindOutput)(port, v)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
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
	err := errors.Join(destroy(b.native), b.fixed.free())
	b.native = nil
	return err
}
