package pfn

import "github.com/pfnamp/pfnamp/pfn/internal/ort"

// Library is a usable onnxruntime shared library; see FindLibrary.
type Library = ort.Library

// Step is one line of the log of the search for a library.
type Step = ort.Step

// LibraryError reports why no onnxruntime library, or not the requested one, can be used. Its
// method Hint tells how to get one.
type LibraryError = ort.LibraryError

// DeviceError reports why the requested device cannot be used.
type DeviceError = ort.DeviceError

// NativeError is an error from onnxruntime.
type NativeError = ort.Error

// ErrUnsupported is the error of a program built without cgo.
var ErrUnsupported = ort.ErrUnsupported

// FindLibrary returns the onnxruntime library that Open would use for a path (empty to search) and
// a device, and the log of the search. It fails with a *LibraryError or ErrUnsupported.
func FindLibrary(path, device string) (Library, []Step, error) {
	return ort.Find(path, device)
}

// Devices lists the values of Options.Device without numbers.
func Devices() []string { return ort.Devices() }

// LiveHandles returns the number of native handles that are not freed. It is zero after every Model
// is closed.
func LiveHandles() int64 { return ort.Live() }

// Runtime describes the library and the device of a model.
type Runtime struct {
	Library
	Steps   []Step // how the library was found
	Device  string // such as "cpu" or "cuda:0"
	Reason  string // reason for this device
	Threads int    // threads in all
	// Precision of the network: Float32 or Int8.
	Precision string
}
