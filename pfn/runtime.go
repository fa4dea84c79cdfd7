package pfn

import (
	"context"
	"fmt"
	"time"

	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

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

// Facts describes the machine and onnxruntime, see [Doctor].
type Facts = ort.Facts

// Device says whether an onnxruntime library has a device.
type Device = ort.Device

// MemoryLimit returns the memory available to this process, in bytes: that of the machine, or less
// if a control group (version 1 or 2) limits it; 0 if neither is known. It does not subtract the
// memory of other processes.
func MemoryLimit() int64 { return ort.MemoryLimit() }

// Doctor describes the machine, searches the onnxruntime library like Open (path may be empty), and
// runs a graph with one node on the device. A broken driver can hang or kill the process, so run
// Doctor in a child process with a time limit.
func Doctor(ctx context.Context, path, device string) Facts {
	return ort.Doctor(ctx, path, device)
}

// Times in RunLimit. The slowest measured network, TabPFN v2 with a context of 4,000 rows and 10
// features on one core, takes 0.65 ms per cell. Time per cell grows in proportion to the rows, so
// that 50,000 rows take about 8 ms.
const (
	leastTime = 10 * time.Minute
	cellTime  = 50 * time.Millisecond
)

// RunLimit returns the default of Options.TimeLimit, the most time for one run of a graph:
//
//	10 min + 50 ms · rows · columns
//
// of its table: features by rows, of the context and, for the query graph, of the block of query
// rows. It stops a graph that never ends, not a slow one: it is 75 times the time of 4,000 rows
// with the slowest network on one core. Loading a graph may take RunLimit(0, 0).
func RunLimit(rows, columns int) time.Duration {
	return leastTime + cellTime*time.Duration(rows)*time.Duration(columns)
}

// TimeLimitError reports that a graph was stopped because it exceeded its time limit.
type TimeLimitError struct {
	Model string        // name and version of the model
	Doing string        // the slow step, such as "running its query graph"
	Limit time.Duration // the limit
}

// Error names the model, the step and the limit. Hint has the remedy.
func (e *TimeLimitError) Error() string {
	return fmt.Sprintf("model %s was stopped: %s took longer than its time limit of %v",
		e.Model, e.Doing, e.Limit.Round(time.Millisecond))
}

// Hint returns what to do about it.
func (e *TimeLimitError) Hint() string { return e.HintWith("Options.TimeLimit") }

// HintWith is Hint with a program's name for the option, such as its flag.
func (e *TimeLimitError) HintWith(option string) string {
	return "a sound model is much faster, so the graph may never end. Use fewer rows, or raise " +
		option
}

// within limits the time of one native call on a table of this size. The caller cancels the context
// after the call.
func (m *Model) within(
	ctx context.Context, doing string, rows, columns int,
) (context.Context, context.CancelFunc) {
	limit := m.options.TimeLimit
	if limit == 0 {
		limit = RunLimit(rows, columns)
	}
	if limit < 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, limit, &TimeLimitError{m.Name(), doing, limit})
}
