//go:build cgo && (linux || darwin)

package ort

import (
	"context"
	"fmt"
	"reflect"
	"runtime"

	onnx "github.com/yalue/onnxruntime_go"
)

// Run computes the outputs, in declared order, from the named inputs. The inputs are read in
// place, without a copy; the outputs are copied into Go memory.
//
// When ctx ends, the native run is terminated and awaited, and the error wraps the cause. The
// library looks for the termination between the nodes of the graph, so that one large node runs
// to its end. Other errors are an [*Error] or [ErrClosed].
func (s *Session) Run(ctx context.Context, in map[string]Tensor) ([]Tensor, error) {
	s.closing.RLock()
	defer s.closing.RUnlock()
	if s.native == nil {
		return nil, ErrClosed
	}
	if err := context.Cause(ctx); err != nil {
		return nil, fmt.Errorf("onnxruntime: running the graph: %w", err)
	}
	var pins runtime.Pinner
	defer pins.Unpin()
	values, err := s.wrap(in, &pins)
	defer release(values)
	if err != nil {
		return nil, err
	}
	results := make([]onnx.Value, len(s.outputs))
	err = s.execute(ctx, values, results)
	defer release(results)
	if err != nil {
		return nil, err
	}
	return s.unwrap(results)
}

// wrap makes a native value around each input. The library keeps the addresses between calls, so
// the slices are pinned.
func (s *Session) wrap(in map[string]Tensor, pins *runtime.Pinner) ([]onnx.Value, error) {
	values := make([]onnx.Value, len(s.inputs))
	for i, port := range s.inputs {
		t, ok := in[port.Name]
		if !ok {
			return values, inputError(port, "it is missing")
		}
		if err := port.accepts(t); err != nil {
			return values, err
		}
		if len(t.Data) > 0 {
			pins.Pin(&t.Data[0])
		}
		v, err := onnx.NewTensor(t.Shape, t.Data)
		if err != nil {
			return values, statusError("wrapping input "+port.Name, err)
		}
		env.live.Add(1)
		values[i] = v
	}
	if len(in) > len(s.inputs) {
		return values, unknownInput(in, s.inputs)
	}
	return values, nil
}

// execute runs the graph; results that were created are counted.
func (s *Session) execute(ctx context.Context, values, results []onnx.Value) error {
	options, err := onnx.NewRunOptions()
	if err != nil {
		return statusError("running the graph", err)
	}
	env.live.Add(1)
	defer destroy(options)
	terminated := make(chan struct{})
	disarm := context.AfterFunc(ctx, func() {
		defer close(terminated)
		options.Terminate() // fails only for options that have been destroyed
	})
	run := func() { err = s.native.RunWithOptions(values, results, options) }
	if s.ran.Load() {
		run()
	} else {
		keepingSignals(run)
	}
	if !disarm() {
		<-terminated // the options must outlive Terminate
	}
	for i, v := range results {
		if absent(v) {
			results[i] = nil
		} else {
			env.live.Add(1)
		}
	}
	if err == nil {
		s.ran.Store(true)
		return nil
	}
	if cause := context.Cause(ctx); cause != nil {
		return fmt.Errorf("onnxruntime: running the graph: %w", cause)
	}
	return statusError("running the graph", err)
}

// absent reports whether the binding has made no value. Where it fails, as on an output of rank 0,
// it leaves a nil pointer inside the interface.
func absent(v onnx.Value) bool {
	return v == nil || reflect.ValueOf(v).Kind() == reflect.Pointer && reflect.ValueOf(v).IsNil()
}

// unwrap takes the Go slices that the binding has copied the outputs into.
func (s *Session) unwrap(results []onnx.Value) ([]Tensor, error) {
	out := make([]Tensor, len(results))
	for i, v := range results {
		t, ok := v.(*onnx.Tensor[float32])
		if !ok {
			return nil, &Error{Op: "running the graph", Status: fmt.Sprintf(
				"output %q is no float32 tensor", s.outputs[i].Name)}
		}
		out[i] = Tensor{Shape: t.GetShape(), Data: t.GetData()}
	}
	return out, nil
}

// release frees the values that were created.
func release(values []onnx.Value) {
	for _, v := range values {
		if v != nil {
			destroy(v)
		}
	}
}
