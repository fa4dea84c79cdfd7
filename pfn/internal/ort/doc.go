// Package ort runs ONNX graphs with the onnxruntime shared library.
//
// It is the only package of the module that imports cgo and the binding
// github.com/yalue/onnxruntime_go. Nothing native leaves it. Inputs are Go slices that the library
// reads in place during one call; outputs are copied into Go slices. Every native handle is counted
// ([Live]), so that tests can assert that none is left.
//
// # From a library to a result
//
//	lib, steps, err := ort.Find("", "cpu") // discovery; steps explain it
//	rt, err := ort.Start(lib)              // one environment per process, telemetry off
//	s, err := rt.NewSession(ctx, model, ort.SessionOptions{})
//	out, err := s.Run(ctx, map[string]ort.Tensor{"x": {Shape: []int64{2, 3}, Data: x}})
//	s.Close()
//	rt.Close()
//
// Many goroutines may run a [Session] at once. Cancelling the context of [Session.Run] terminates
// the native run, waits for it, and returns the cause of the cancellation. If the native call does
// not stop, Run abandons it after 10 s.
//
// # Versions
//
// The binding needs C API 25, so onnxruntime 1.25 is the oldest usable version ([NeededVersion]).
// 1.25 is also the first version in which a model cannot read files outside its folder. A newer
// library always works with an older binding, never the reverse, so the binding stays at v1.30.1.
// Each library is examined before use. A [*LibraryError] explains why a library is unusable, and
// the C library prints nothing.
package ort
