// Package ort runs ONNX graphs through the onnxruntime shared library.
//
// It is the only package of the module that imports cgo and the binding
// github.com/yalue/onnxruntime_go. Nothing native leaves it. Inputs are Go slices that the
// library reads in place for the length of one call, and outputs are copied into Go slices. Every
// native handle is counted ([Live]), so that tests can assert that none is left.
//
// # From a library to a result
//
//	lib, steps, err := ort.Find("", false) // discovery; steps explain it
//	rt, err := ort.Start(lib)              // one environment per process, telemetry off
//	s, err := rt.NewSession(ctx, model, ort.SessionOptions{})
//	out, err := s.Run(ctx, map[string]ort.Tensor{"x": {Shape: []int64{2, 3}, Data: x}})
//	s.Close()
//	rt.Close()
//
// A [Session] may be run by many goroutines at once. Cancelling the context of [Session.Run]
// terminates the native run, waits for it, and returns the cause of the cancellation; a native call
// that does not stop is given up in the end.
//
// # Versions
//
// The binding speaks C API 25, so onnxruntime 1.25 is the floor ([NeededVersion]); 1.25 is also
// the first line in which a model cannot read files outside its folder. A newer library always
// works with an older binding, never the reverse, hence the binding is pinned at v1.30.1.
// Each library is examined before it is used, so the reason why one is unusable is an
// [*LibraryError] in plain words, and the C library prints nothing.
//
// # What it measured
//
// The choices of session options (threads, spinning, arena, memory pattern) are explained, with
// the figures they rest on, beside their code in options.go.
package ort
