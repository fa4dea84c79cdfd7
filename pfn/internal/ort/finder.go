package ort

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A finder walks the discovery order. Its fields are the inputs of the order.
type finder struct {
	option   string              // the requested path, or ""
	getenv   func(string) string // the environment
	exe      string              // the program, symlinks resolved, or ""
	wantCUDA bool                // other libraries are unusable
	mayCUDA  bool                // one of the active environment is preferred
	steps    []Step
}

// A place is one entry of the discovery order.
type place struct {
	where    string
	path     string // "" if the place does not exist here
	absent   string // outcome in the log if the place does not exist
	required bool   // a failure here is an error
	cuda     bool   // only a library with CUDA counts here
	sha256   string // of the library, if verified
	fault    Fault  // if its candidates cannot be listed
	// candidates lists the files of the place; nil means path itself or the libraries in it.
	candidates func(path string) ([]string, error)
}

func (f *finder) find() (Library, []Step, error) {
	failure := &LibraryError{Fault: NotFound}
	for _, p := range f.places() {
		if p.path == "" {
			f.log(p.where, "", p.absent)
			continue
		}
		lib, err := f.try(p)
		if err != nil && p.required {
			err.Steps = f.steps
			return Library{}, f.steps, err
		}
		if err == nil && lib.Path != "" {
			return lib, f.steps, nil
		}
		if err != nil && err.telling() && failure.Fault == NotFound {
			failure = err
		}
	}
	failure.Steps = f.steps
	return Library{}, f.steps, failure
}

// try examines the candidates of one place and logs each. Without a candidate the Library is empty
// and the error nil, unless the place is required.
func (f *finder) try(p place) (Library, *LibraryError) {
	list := p.candidates
	if list == nil {
		list = candidates
	}
	files, err := list(p.path)
	if err != nil {
		f.log(p.where, p.path, err.Error())
		e := &LibraryError{Fault: p.fault, Path: p.path, Source: p.where,
			Detail: oneLine(err.Error())}
		if outOfMemory(e.Detail) {
			e.Fault = NoMemory
		}
		return Library{}, e
	}
	var first *LibraryError
	for _, file := range files {
		lib, err := f.check(file, p.cuda || f.wantCUDA)
		if err == nil {
			f.log(p.where, file, "used: onnxruntime "+lib.Version)
			lib.Source, lib.SHA256 = p.where, p.sha256
			return lib, nil
		}
		err.Source = p.where
		f.log(p.where, file, outcome(err))
		if first == nil {
			first = err
		}
	}
	if len(files) == 0 {
		f.log(p.where, p.path, "none")
		first = &LibraryError{Fault: NotFound, Path: p.path, Source: p.where,
			Detail: "there is no such file, and no folder with a libonnxruntime"}
	}
	return Library{}, first
}

// check examines one candidate, with cuda also whether it has CUDA. A name without a folder is left
// to the system's loader.
func (f *finder) check(file string, cuda bool) (Library, *LibraryError) {
	if !bare(file) {
		if err := examine(file); err != nil {
			return Library{}, err
		}
	}
	lib, err := probe(file)
	if err != nil {
		return Library{}, err
	}
	lib.CUDA = slices.Contains(lib.Providers, "CUDAExecutionProvider") &&
		fileExists(cudaProviderFile(lib.Path))
	if cuda && !lib.CUDA {
		return Library{}, &LibraryError{Fault: NoCUDA, Path: file, Found: lib.Version,
			Detail: "it " + withoutCUDA(lib)}
	}
	return lib, nil
}

func (f *finder) log(where, path, outcome string) {
	f.steps = append(f.steps, Step{Where: where, Path: path, Outcome: outcome})
}

// outcome returns the part of an error for the log, which has a column for the path.
func outcome(err *LibraryError) string {
	switch {
	case err.Fault == TooOld:
		return fmt.Sprintf("too old: found %s, needed >= %s", err.Found, NeededVersion)
	case err.Detail == "":
		return err.Fault.String()
	}
	return err.Fault.String() + ": " + err.Detail
}

func bare(file string) bool { return filepath.Base(file) == file }

// cudaProviderFile returns the path where a library looks for its CUDA provider.
func cudaProviderFile(library string) string {
	return filepath.Join(filepath.Dir(library), namesOf(runtime.GOOS).cuda)
}

// withoutCUDA returns why lib has no usable CUDA provider, to follow its name.
func withoutCUDA(lib Library) string {
	if !slices.Contains(lib.Providers, "CUDAExecutionProvider") {
		return "is a build without CUDA"
	}
	return "has no " + filepath.Base(cudaProviderFile(lib.Path)) + " beside it"
}

func fileExists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

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

// Find returns the first valid onnxruntime library in the order of docs/reference/onnxruntime.md,
// and the log of every step up to it. explicit is Options.Library. For a CUDA device, and for
// "auto" on a machine with an NVIDIA driver, a CUDA library of the active Python environment comes
// right after the first three, which are requested paths to a file or a folder.
//
// If a requested path is set and unusable, Find fails; it never skips it. For a CUDA device a
// library without CUDA is unusable. Find fails with a [*LibraryError], or with [ErrUnsupported] in
// a program without cgo.
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
