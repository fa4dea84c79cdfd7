//go:build cgo && (linux || darwin || windows)

package ort

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"slices"

	onnx "github.com/yalue/onnxruntime_go"
)

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
	if s.native == nil {
		return nil, ErrClosed
	}
	if err := context.Cause(ctx); err != nil {
		return nil, fmt.Errorf("onnxruntime: running the graph: %w", err)
	}
	r := &nativeRun{session: s, results: make([]onnx.Value, len(s.outputs))}
	err := r.wrap(in)
	if err == nil {
		err = r.execute(ctx)
	}
	if r.stuck {
		s.stuck.Store(true)
		return nil, err
	}
	defer r.release()
	if err != nil {
		return nil, err
	}
	return r.unwrap()
}

// A nativeRun is what one run uses.
type nativeRun struct {
	session         *Session
	pins            runtime.Pinner
	options         *onnx.RunOptions
	values, results []onnx.Value
	stuck           bool // it was abandoned, and nothing may be freed
}

// wrap makes a native value around each input. The library keeps the addresses between calls, so
// the slices are pinned.
func (r *nativeRun) wrap(in map[string]Tensor) error {
	inputs := r.session.inputs
	r.values = make([]onnx.Value, len(inputs))
	for i, port := range inputs {
		t, ok := in[port.Name]
		if !ok {
			return inputError(port, "it is missing")
		}
		if err := accept(port, t); err != nil {
			return err
		}
		if len(t.Data) > 0 {
			r.pins.Pin(&t.Data[0])
		}
		v, err := onnx.NewTensor(t.Shape, t.Data)
		if err != nil {
			return statusError("wrapping input "+port.Name, err)
		}
		env.live.Add(1)
		r.values[i] = v
	}
	if len(in) > len(inputs) {
		return unknownInput(in, inputs)
	}
	return nil
}

// execute runs the graph and counts its results.
func (r *nativeRun) execute(ctx context.Context) (err error) {
	s := r.session
	if r.options, err = onnx.NewRunOptions(); err != nil {
		return statusError("running the graph", err)
	}
	env.live.Add(1)
	run := func() (err error) {
		defer runtime.KeepAlive(r) // with its pins, also if the run is abandoned
		native := func() { err = s.native.RunWithOptions(r.values, r.results, r.options) }
		if s.ran.Load() {
			native()
		} else {
			keepingSignals(native)
		}
		return statusError("running the graph", err)
	}
	// Terminate fails only for options that have been destroyed.
	stop := func() { _ = r.options.Terminate() }
	if r.stuck, err = attend(ctx, "running the graph", s.grace, run, stop); r.stuck {
		return err
	}
	for i, v := range r.results {
		if absent(v) {
			r.results[i] = nil
		} else {
			env.live.Add(1)
		}
	}
	if err == nil {
		s.ran.Store(true)
	}
	return err
}

// absent reports whether the binding has returned no value. If it fails, for example on an output
// of rank 0, it leaves a nil pointer inside the interface.
func absent(v onnx.Value) bool {
	return v == nil || reflect.ValueOf(v).Kind() == reflect.Pointer && reflect.ValueOf(v).IsNil()
}

// unwrap returns the Go slices into which the binding has copied the outputs.
func (r *nativeRun) unwrap() ([]Tensor, error) {
	out := make([]Tensor, len(r.results))
	for i, v := range r.results {
		t, ok := v.(*onnx.Tensor[float32])
		if !ok {
			return nil, &Error{Op: "running the graph", Status: fmt.Sprintf(
				"output %q is not a float32 tensor", r.session.outputs[i].Name)}
		}
		out[i] = Tensor{Shape: t.GetShape(), Data: t.GetData()}
	}
	return out, nil
}

// release frees what was created.
func (r *nativeRun) release() {
	if r.options != nil {
		destroy(r.options)
	}
	for _, v := range slices.Concat(r.values, r.results) {
		if v != nil {
			destroy(v)
		}
	}
	r.pins.Unpin()
}
