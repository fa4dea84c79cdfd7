package ort

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
)

// A finder walks the discovery order; its fields are what the order depends on.
type finder struct {
	option   string              // the path that was asked for, or ""
	getenv   func(string) string // the environment
	exe      string              // the program, symlinks resolved, or ""
	wantCUDA bool
	steps    []Step
}

// A place is one entry of the discovery order.
type place struct {
	where    string
	path     string // "" if the place does not exist here
	absent   string // what to log then
	required bool   // a failure here is an error
	sha256   string // of the library, if it has been verified
	fault    Fault  // where its candidates cannot be listed
	// candidates lists the files of the place; nil stands for path itself or the libraries in it.
	candidates func(path string) ([]string, error)
}

// find tries the places in order.
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

// try examines the candidates of one place and logs each. Without a candidate the Library is
// empty and the error nil, unless the place is required.
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
		lib, err := f.check(file)
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
			Detail: "no such file, and no libonnxruntime in such a folder"}
	}
	return Library{}, first
}

// check decides about one candidate; a name without a folder is left to the system's loader.
func (f *finder) check(file string) (Library, *LibraryError) {
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
	if f.wantCUDA && !lib.CUDA {
		return Library{}, &LibraryError{Fault: NoCUDA, Path: file, Found: lib.Version,
			Detail: "it " + withoutCUDA(lib)}
	}
	return lib, nil
}

// log appends one step.
func (f *finder) log(where, path, outcome string) {
	f.steps = append(f.steps, Step{Where: where, Path: path, Outcome: outcome})
}

// outcome is the part of an error that the log needs: the path stands in its own column.
func outcome(err *LibraryError) string {
	switch {
	case err.Fault == TooOld:
		return fmt.Sprintf("too old: found %s, needed >= %s", err.Found, NeededVersion)
	case err.Detail == "":
		return err.Fault.String()
	}
	return err.Fault.String() + ": " + err.Detail
}

// bare says whether a file is named without a folder.
func bare(file string) bool { return filepath.Base(file) == file }

// cudaProviderFile is where a library looks for its CUDA provider.
func cudaProviderFile(library string) string {
	return filepath.Join(filepath.Dir(library), namesOf(runtime.GOOS).cuda)
}

// withoutCUDA says why lib has no usable CUDA provider, as what follows its name.
func withoutCUDA(lib Library) string {
	if !slices.Contains(lib.Providers, "CUDAExecutionProvider") {
		return "is a build without cuda"
	}
	return "has no " + filepath.Base(cudaProviderFile(lib.Path)) + " beside it"
}

// fileExists says whether a regular file is at path.
func fileExists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
