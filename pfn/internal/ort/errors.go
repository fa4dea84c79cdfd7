package ort

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"
)

var (
	// ErrUnsupported is the error of everything that needs the native library in a program built
	// without cgo, or for a platform other than Linux, macOS and Windows.
	ErrUnsupported = errors.New("ort: built without cgo (CGO_ENABLED=0) or for a platform " +
		"other than linux, darwin and windows: onnxruntime cannot be loaded")
	// ErrClosed is the error of a session or runtime that was closed.
	ErrClosed = errors.New("ort: used after Close")
	// ErrStuck is the error of Close after a native call that did not stop was abandoned: it still
	// runs, so that its memory cannot be freed.
	ErrStuck = errors.New("ort: not freed: a native call did not stop and still runs")
)

// A Fault is what is wrong with a library.
type Fault int

// The faults of a library, in the order of the checks.
const (
	NotFound    Fault = iota // no file at the path, or no library anywhere
	NotLibrary               // not a shared library of this operating system, or a damaged one
	WrongArch                // a shared library for another processor
	NotRuntime               // a shared library, but not onnxruntime
	NotLoadable              // the system's loader refuses it
	TooOld                   // an onnxruntime below the floor
	NoCUDA                   // no CUDA provider although CUDA was requested
	NotUnpacked              // the embedded library cannot be unpacked
	NoMemory                 // not enough memory, or address space, to load it
)

// String returns the fault in words.
func (f Fault) String() string {
	return [...]string{"not found", "not a shared library", "built for another processor",
		"not onnxruntime", "cannot be loaded", "too old", "not usable for cuda",
		"it cannot be unpacked", "not enough memory to load it"}[f]
}

// A LibraryError reports why no onnxruntime library, or not the requested one, can be used.
type LibraryError struct {
	Fault  Fault
	Path   string // "" if none was requested and none was found
	Source string // the place of the discovery order, e.g. "PFNAMP_ORT_LIB"
	Found  string // the version found, if the file is an onnxruntime
	Detail string // the observation, one line
	Steps  []Step // the discovery log up to the failure
}

// Error returns one line: the library, its place, and what is wrong or needed.
func (e *LibraryError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("no usable onnxruntime library in %d places (needed: >= %s); "+
			"set the environment variable PFNAMP_ORT_LIB to its path",
			len(e.Steps), NeededVersion)
	}
	b := new(strings.Builder)
	fmt.Fprintf(b, "onnxruntime library %q", e.Path)
	if e.Source != "" {
		fmt.Fprintf(b, " (%s)", e.Source)
	}
	if e.Fault == TooOld {
		fmt.Fprintf(b, ": found version %s, needed >= %s (C API %d)",
			e.Found, NeededVersion, neededAPI)
	} else {
		fmt.Fprintf(b, ": %s", e.Fault)
	}
	if e.Detail != "" {
		fmt.Fprintf(b, ": %s", e.Detail)
	}
	return b.String()
}

// Hint returns three ways to get a usable library, one a line, with the options' names in Go.
func (e *LibraryError) Hint() string { return e.HintWith("Options.Library", "Options.Device:") }

// HintWith is Hint with a program's names for the options of the library and of the device, such as
// its flags.
func (e *LibraryError) HintWith(library, device string) string {
	other := "or point " + library + " or PFNAMP_ORT_LIB at an onnxruntime >= " + NeededVersion +
		", e.g. that of pip install onnxruntime (onnxruntime/capi/libonnxruntime.*)"
	lines := []string{
		"in a clone of the repository: make setup (fetches the tested version into build/lib)",
		"or use a released pfnamp, which carries the library inside", other}
	switch e.Fault {
	case NoCUDA:
		lines = []string{
			"get a CUDA build: pip install onnxruntime-gpu, then " + library +
				" .../onnxruntime/capi/libonnxruntime.so.1.*",
			"or run on the CPU: " + device + " cpu"}
	case NotUnpacked:
		lines = []string{"mount /proc, so that it can be loaded from memory", other}
	case NoMemory:
		lines = []string{"allow more address space (ulimit -v) or memory: 2 GiB are enough to start"}
	}
	return strings.Join(lines, "\n")
}

// telling reports whether the error says more than that no library was found.
func (e *LibraryError) telling() bool {
	return e.Fault == NoCUDA || e.Fault == NotUnpacked || e.Fault == NoMemory
}

// outOfMemory reports whether a text of the system or its loader means that memory is short. The
// loader of glibc leaves the reason out if it cannot map a part of the file.
func outOfMemory(text string) bool {
	return strings.Contains(strings.ToLower(text), syscall.ENOMEM.Error()) ||
		strings.HasSuffix(text, "failed to map segment from shared object")
}

// A DeviceError reports why the requested device cannot be used.
type DeviceError struct {
	Device string // as requested
	Reason string
}

// Error returns one line.
func (e *DeviceError) Error() string {
	return fmt.Sprintf("device %q cannot be used: %s", e.Device, e.Reason)
}

// An Error is a failure from onnxruntime.
type Error struct {
	Op     string // the operation, e.g. "running the graph"
	Status string // the text of the status, one line, lower-case
}

// OutOfMemory reports whether the memory of a device did not suffice. Libraries of NVIDIA that find
// none when they start say that they were not initialised.
func (e *Error) OutOfMemory() bool {
	text := strings.ToLower(e.Status)
	return slices.ContainsFunc([]string{"failed to allocate memory", "out of memory", "alloc_failed",
		"memory_allocation", "status_not_initialized"},
		func(s string) bool { return strings.Contains(text, s) })
}

// Error returns one line.
func (e *Error) Error() string { return fmt.Sprintf("onnxruntime: %s: %s", e.Op, e.Status) }

// statusError turns an error of the binding into an *Error with the innermost text, which is the
// library's own, on one line.
func statusError(op string, err error) error {
	if err == nil {
		return nil
	}
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			status := oneLine(withoutOrigin(err.Error()))
			if strings.Contains(status, "std::bad_alloc") {
				status += ": not enough memory, or address space (ulimit -v)"
			}
			return &Error{Op: op, Status: status}
		}
		err = inner
	}
}

// cardFailure is what the provider for CUDA says of a failed call, after and before what is of use
// to its authors alone.
var cardFailure = regexp.MustCompile(`(CUDA|CUBLAS|CUDNN|CUFFT|CURAND) failure -?\d+: [^;]*[^; ]`)

// withoutOrigin removes the text before the message of a status inside a status: source file,
// function, "[ONNXRuntimeError] : 1 : FAIL : ".
func withoutOrigin(s string) string {
	if failure := cardFailure.FindString(s); failure != "" {
		return failure
	}
	const mark = "[ONNXRuntimeError] : "
	i := strings.LastIndex(s, mark)
	if i < 0 {
		return s
	}
	parts := strings.SplitN(s[i+len(mark):], " : ", 3)
	return parts[len(parts)-1]
}

// oneLine joins the lines of s, lower-cases its first letter unless it starts an acronym, and
// limits its length.
func oneLine(s string) string {
	const longest = 600
	s = strings.TrimSuffix(strings.Join(strings.Fields(s), " "), ".")
	if len(s) > longest {
		s = strings.ToValidUTF8(s[:longest], "") + " ..."
	}
	first, n := utf8.DecodeRuneInString(s)
	second, _ := utf8.DecodeRuneInString(s[n:])
	if unicode.IsUpper(first) && !unicode.IsUpper(second) {
		s = string(unicode.ToLower(first)) + s[n:]
	}
	return s
}
