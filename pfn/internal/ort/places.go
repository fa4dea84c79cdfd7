package ort

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

func (f *finder) places() []place {
	names := namesOf(runtime.GOOS)
	list := []place{
		f.asked("as named", f.option),
		f.asked("PFNAMP_ORT_LIB", f.getenv("PFNAMP_ORT_LIB")),
		f.asked("ONNXRUNTIME_SHARED_LIBRARY_PATH", f.getenv("ONNXRUNTIME_SHARED_LIBRARY_PATH")),
	}
	if f.mayCUDA {
		list = append(list, f.environments(true)...)
	}
	if f.exe != "" {
		dir := filepath.Dir(f.exe)
		for _, beside := range []string{filepath.Join(filepath.Dir(dir), "lib", "pfnamp"),
			filepath.Join(dir, "lib", "pfnamp"), filepath.Join(dir, "lib"), dir} {
			list = append(list, place{where: "beside the program", path: beside})
		}
	}
	list = append(list, embedded())
	if f.exe != "" { // installed by a Python wheel, of whichever environment is active
		list = append(list, place{where: "python of the program",
			path: filepath.Dir(filepath.Dir(f.exe)), candidates: inPython})
	}
	if !f.wantCUDA {
		list = append(list, f.environments(false)...)
	}
	if runtime.GOOS == "darwin" || f.getenv("HOMEBREW_PREFIX") != "" {
		prefixes := []string{f.getenv("HOMEBREW_PREFIX"), "/opt/homebrew", "/usr/local"}
		for _, prefix := range slices.Compact(prefixes) {
			if prefix != "" {
				list = append(list, place{where: "homebrew", path: filepath.Join(prefix, "lib")})
			}
		}
	}
	return append(list, place{where: "system loader", path: names.loader[0],
		candidates: func(string) ([]string, error) { return names.loader, nil }})
}

// environments returns the active Python environments; with cuda, only their CUDA libraries count.
func (f *finder) environments(cuda bool) (list []place) {
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		list = append(list, place{where: name, path: f.getenv(name), absent: "not set", cuda: cuda,
			candidates: inPython})
	}
	return list
}

func (f *finder) asked(where, path string) place {
	if abs, err := filepath.Abs(path); err == nil && path != "" {
		path = abs
	}
	return place{where: where, path: path, absent: "not set", required: true}
}

// candidates returns path itself if it is a file, else the libraries in the folder, newest version
// first.
func candidates(path string) ([]string, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, errors.New(reason(err))
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	files, err := filepath.Glob(filepath.Join(escapeGlob(path), namesOf(runtime.GOOS).library))
	return newestFirst(files), err
}

func inPython(prefix string) ([]string, error) {
	names := namesOf(runtime.GOOS)
	prefix = escapeGlob(prefix)
	patterns := []string{filepath.Join(prefix, "lib", names.wheel)} // conda's
	for _, site := range names.sites {
		patterns = append(patterns, filepath.Join(prefix, site, "onnxruntime", "capi", names.wheel))
	}
	var files []string
	for _, pattern := range patterns {
		found, _ := filepath.Glob(pattern) // no error, because the prefix is escaped
		files = append(files, found...)
	}
	return newestFirst(files), nil
}

func newestFirst(files []string) []string {
	slices.SortFunc(files, func(a, b string) int {
		return cmp.Or(slices.Compare(versionOf(b), versionOf(a)), cmp.Compare(a, b))
	})
	return slices.Compact(files)
}

// versionOf extracts the numbers of a file name: libonnxruntime.so.1.27.0 is [1 27 0].
func versionOf(file string) []int {
	var v []int
	for part := range strings.SplitSeq(filepath.Base(file), ".") {
		if n, err := strconv.Atoi(part); err == nil {
			v = append(v, n)
		}
	}
	return v
}

// escapeGlob escapes the special characters of a glob pattern. Windows has no such escape; of these
// characters its paths can contain only brackets.
func escapeGlob(path string) string {
	if runtime.GOOS == "windows" {
		return strings.ReplaceAll(path, "[", "[[]")
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// naming describes how a system names onnxruntime's library. Patterns are those of
// [filepath.Match].
type naming struct {
	loader  []string // names for the system's loader
	library string   // pattern of the file in a folder of libraries
	wheel   string   // pattern of the file in a Python package, with its version
	sites   []string // patterns of the package folders, below the prefix of a Python
	cuda    string   // the file with the CUDA provider, beside the library
}

// sites are site-packages, Debian's dist-packages and Fedora's lib64.
var sites = []string{filepath.Join("lib*", "python3*", "*-packages")}

// namesOf returns the names on a system, by its name in Go.
func namesOf(system string) naming {
	switch system {
	case "darwin":
		return naming{[]string{"libonnxruntime.1.dylib", "libonnxruntime.dylib"},
			"libonnxruntime*.dylib", "libonnxruntime.1.*.dylib", sites,
			"libonnxruntime_providers_cuda.dylib"}
	case "windows": // of an environment or an installation, and of one user
		return naming{[]string{"onnxruntime.dll"}, "onnxruntime.dll", "onnxruntime.dll",
			[]string{filepath.Join("Lib", "site-packages"), "site-packages"},
			"onnxruntime_providers_cuda.dll"}
	}
	return naming{[]string{"libonnxruntime.so.1", "libonnxruntime.so"}, "libonnxruntime.so*",
		"libonnxruntime.so.1.*", sites, "libonnxruntime_providers_cuda.so"}
}
