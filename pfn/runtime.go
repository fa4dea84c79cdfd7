package pfn

import (
	"strings"

	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// Library is a usable onnxruntime shared library; see FindLibrary.
type Library = ort.Library

// Step is one line of the log of the search for a library.
type Step = ort.Step

// LibraryError says why no onnxruntime library, or not the one asked for, can be used. Its Hint
// method says how to get one.
type LibraryError = ort.LibraryError

// DeviceError says why the device that was asked for cannot be used.
type DeviceError = ort.DeviceError

// NativeError is a failure that onnxruntime reported.
type NativeError = ort.Error

// ErrUnsupported is returned by a program that was built without cgo.
var ErrUnsupported = ort.ErrUnsupported

// FindLibrary returns the onnxruntime library that Open would use for an explicit path (empty to
// search) and a device, and the log of the search. The error is a *LibraryError or
// ErrUnsupported.
func FindLibrary(path, device string) (Library, []Step, error) {
	return ort.Find(path, wantsCUDA(device))
}

// LiveHandles returns the number of native handles that are not yet freed. It is zero when every
// Model has been closed.
func LiveHandles() int64 { return ort.Live() }

// Runtime says what a model runs on.
type Runtime struct {
	Library
	Steps   []Step // how the library was found
	Device  string // "cpu" or "cuda:i"
	Reason  string // why that device
	Threads int    // threads in all
	// Precision is that of the graph that reads a context: Float32 or Int8.
	Precision string
}

func wantsCUDA(device string) bool { return strings.HasPrefix(device, "cuda") }
