package ort

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"
)

var (
	// ErrUnsupported is returned by everything that needs the native library in a program that
	// was built without cgo or for a platform other than Linux, macOS and Windows.
	ErrUnsupported = errors.New("ort: built without cgo (CGO_ENABLED=0) or for a platform " +
		"other than linux, darwin and windows: onnxruntime cannot be loaded")
	// ErrClosed is returned by a session or runtime that has been closed.
	ErrClosed = errors.New("ort: used after close")
	// ErrStuck is returned by Close where a native call that did not stop was given up: it goes on,
	// so that what it uses cannot be freed.
	ErrStuck = errors.New("ort: not freed: a native call was given up and goes on")
)

// A Fault says what is wrong with a library.
type Fault int

// The faults of a library, in the order in which they are looked for.
const (
	NotFound    Fault = iota // no file there, or no library anywhere
	NotLibrary               // not a shared library of this operating system, or a damaged one
	WrongArch                // a shared library for another processor
	NotRuntime               // a shared library, but not onnxruntime
	NotLoadable              // the system's loader refuses it
	TooOld                   // an onnxruntime below the floor
	NoCUDA                   // without a CUDA provider where CUDA was asked for
	NotUnpacked              // the one that the program carries cannot be unpacked
	NoMemory                 // there is not enough memory, or address space, to load it
)

// String returns the fault in words.
func (f Fault) String() string {
	words := [...]string{"not found", "not a shared library", "built for another processor",
		"not onnxruntime", "cannot be loaded", "too old", "not usable for cuda",
		"it cannot be unpacked", "not enough memory to load it"}
	if f < 0 || int(f) >= len(words) {
		return fmt.Sprintf("fault %d", int(f))
	}
	return words[f]
}

// A LibraryError says why no onnxruntime library, or not the one asked for, can be used.
type LibraryError struct {
	Fault  Fault
	Path   string // "" if none was asked for and none was found
	Source string // the place of the discovery order, e.g. "PFNAMP_ORT_LIB"
	Found  string // the version found, if the file is an onnxruntime
	Detail string // what exactly was seen, one line
	Steps  []Step // the discovery log up to the failure
}

// Error returns one line: what was found, where, and what is needed.
func (e *LibraryError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("no usable onnxruntime library found in %d places (needed: >= %s); "+
			"the environment variable PFNAMP_ORT_LIB may name one",
			len(e.Steps), NeededVersion)
	}
	b := new(strings.Builder)
	fmt.Fprintf(b, "onnxruntime library %q", e.Path)
	if e.Source != "" {
		fmt.Fprintf(b, " (%s)", e.Source)
	}
	switch e.Fault {
	case TooOld:
		fmt.Fprintf(b, ": found version %s, needed >= %s (C API %d)",
			e.Found, NeededVersion, neededAPI)
	default:
		fmt.Fprintf(b, ": %s", e.Fault)
	}
	if e.Detail != "" {
		fmt.Fprintf(b, ": %s", e.Detail)
	}
	return b.String()
}

// Hint returns the three ways to get a usable library, one a line, in the words of Go.
func (e *LibraryError) Hint() string { return e.HintWith("Options.Library", "Options.Device:") }

// HintWith is Hint with the names that a program has for the options of the library and of the
// device, such as its flags.
func (e *LibraryError) HintWith(library, device string) string {
	other := "or point " + library + " or PFNAMP_ORT_LIB at an onnxruntime >= " + NeededVersion +
		", e.g. the one of pip install onnxruntime (onnxruntime/capi/libonnxruntime.*)"
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
		lines = []string{"mount /proc, so that it can be loaded from memory (Linux)",
			"or set XDG_CACHE_HOME to a folder that only you may write to, where code may be run from",
			other}
	case NoMemory:
		lines = []string{"allow more address space (ulimit -v) or memory: 2 GiB are enough to start"}
	}
	return strings.Join(lines, "\n")
}

// telling reports whether the error says more than that no library was found.
func (e *LibraryError) telling() bool {
	return e.Fault == NoCUDA || e.Fault == NotUnpacked || e.Fault == NoMemory
}

// outOfMemory reports whether a text of the system or of its loader says that memory is short. The
// loader of glibc leaves the reason out where a part of the file cannot be mapped for that reason.
func outOfMemory(text string) bool {
	return strings.Contains(strings.ToLower(text), syscall.ENOMEM.Error()) ||
		strings.HasSuffix(text, "failed to map segment from shared object")
}

// A DeviceError says why the device that was asked for cannot be used.
type DeviceError struct {
	Device string // as asked for
	Reason string
}

// Error returns one line.
func (e *DeviceError) Error() string {
	return fmt.Sprintf("device %q cannot be used: %s", e.Device, e.Reason)
}

// An Error is a failure that onnxruntime reported.
type Error struct {
	Op     string // what was being done, e.g. "running the graph"
	Status string // the text of the status, one line, lower-case
}

// Error returns one line.
func (e *Error) Error() string { return fmt.Sprintf("onnxruntime: %s: %s", e.Op, e.Status) }

// statusError turns an error of the binding into an *Error: the innermost text, which is the
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

// withoutOrigin cuts off what stands before the message of a status inside a status: source file,
// function, "[ONNXRuntimeError] : 1 : FAIL : ".
func withoutOrigin(s string) string {
	const mark = "[ONNXRuntimeError] : "
	i := strings.LastIndex(s, mark)
	if i < 0 {
		return s
	}
	parts := strings.SplitN(s[i+len(mark):], " : ", 3)
	return parts[len(parts)-1]
}

// oneLine joins the lines of s, lower-cases its first letter unless it starts an acronym, and
// bounds its length.
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
