package ort

import (
	"fmt"
	"os"
	"path/filepath"
)

// NeededVersion is the oldest onnxruntime release that the binding can speak to.
const NeededVersion = "1.25"

// neededAPI is the C API version that the binding asks for; release 1.N serves the APIs 1 to N.
const neededAPI = 25

// A Library is one usable onnxruntime shared library.
type Library struct {
	Path      string   `json:"path"`      // what was loaded, absolute
	Version   string   `json:"version"`   // as the library itself says, e.g. "1.27.0"
	SHA256    string   `json:"sha256"`    // of the file; "" until verified, as [Doctor] does
	Source    string   `json:"source"`    // the place of the discovery order that it came from
	API       int      `json:"api"`       // the newest C API it serves
	Providers []string `json:"providers"` // execution providers compiled in
	CUDA      bool     `json:"cuda"`      // has the CUDA provider and its file beside it
}

// String returns the version and where it was found, in few words.
func (l Library) String() string {
	if l.Source == "" {
		return "onnxruntime " + l.Version
	}
	return fmt.Sprintf("onnxruntime %s (%s)", l.Version, l.Source)
}

// A Step is one line of the discovery log.
type Step struct {
	Where   string `json:"where"`   // the place that was looked at
	Path    string `json:"path"`    // the file or folder there, if there is one
	Outcome string `json:"outcome"` // "used", "not set", "none" or why it was not used
}

// Find returns the first valid onnxruntime library of the discovery order and the log of every
// step up to it. The order is: explicit (Options.Library), PFNAMP_ORT_LIB,
// ONNXRUNTIME_SHARED_LIBRARY_PATH, the folders beside the program, the library embedded in the
// program, the Python environment that the program is in, the user's cache, the active Python
// environment, Homebrew, the system's loader.
//
// A path that was asked for (the first three) and cannot be used is an error, never skipped; it
// may name a file or a folder. With wantCUDA a library without CUDA cannot be used. The error is
// an [*LibraryError], or [ErrUnsupported] in a program without cgo.
func Find(explicit string, wantCUDA bool) (Library, []Step, error) {
	if !Available {
		return Library{}, nil, ErrUnsupported
	}
	silenceTelemetry() // before anything is loaded
	f := finder{option: explicit, getenv: os.Getenv, wantCUDA: wantCUDA}
	if exe, err := os.Executable(); err == nil {
		if f.exe, err = filepath.EvalSymlinks(exe); err != nil {
			f.exe = exe
		}
	}
	return f.find()
}
