package ort

import "path/filepath"

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
