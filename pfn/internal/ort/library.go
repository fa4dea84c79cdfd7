package ort

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// NeededVersion is the oldest onnxruntime release that the binding supports.
const NeededVersion = "1.25"

// neededAPI is the C API version of the binding; release 1.N has the APIs 1 to N.
const neededAPI = 25

// A Library is one usable onnxruntime shared library.
type Library struct {
	Path      string   `json:"path"`      // loaded file, absolute
	Version   string   `json:"version"`   // according to the library, e.g. "1.27.0"
	SHA256    string   `json:"sha256"`    // of the file; "" until verified, as by [Doctor]
	Source    string   `json:"source"`    // its place in the discovery order
	API       int      `json:"api"`       // newest C API
	Providers []string `json:"providers"` // built-in execution providers
	CUDA      bool     `json:"cuda"`      // has the CUDA provider and its file beside it
}

// String returns the version and the place of the library.
func (l Library) String() string {
	if l.Source == "" {
		return "onnxruntime " + l.Version
	}
	return fmt.Sprintf("onnxruntime %s (%s)", l.Version, l.Source)
}

// A Step is one line of the discovery log.
type Step struct {
	Where   string `json:"where"`   // the place
	Path    string `json:"path"`    // file or folder there, if any
	Outcome string `json:"outcome"` // "used", "not set", "none" or the reason why it was not used
}

// Find returns the first valid onnxruntime library of the discovery order, and the log of every
// step up to it. The order is: explicit (Options.Library), PFNAMP_ORT_LIB,
// ONNXRUNTIME_SHARED_LIBRARY_PATH, the folders beside the program, the library embedded in the
// program, the program's Python environment, the user's cache, the active Python environment,
// Homebrew, the system's loader. For a CUDA device, and for "auto" on a machine with an NVIDIA
// driver, a CUDA library of the active Python environment comes right after the first three.
//
// The first three are requested paths, to a file or a folder. If one of them is set and unusable,
// Find fails; it never skips it. For a CUDA device a library without CUDA is unusable. Find fails
// with a [*LibraryError], or with [ErrUnsupported] in a program without cgo.
func Find(explicit, device string) (Library, []Step, error) {
	if !Available {
		return Library{}, nil, ErrUnsupported
	}
	silenceTelemetry() // before anything is loaded
	f := finder{option: explicit, getenv: os.Getenv, wantCUDA: strings.HasPrefix(device, "cuda")}
	f.mayCUDA = f.wantCUDA || (device == "" || device == "auto") && driverVersion() != ""
	if exe, err := os.Executable(); err == nil {
		if f.exe, err = filepath.EvalSymlinks(exe); err != nil {
			f.exe = exe
		}
	}
	return f.find()
}
