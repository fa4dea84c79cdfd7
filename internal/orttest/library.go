// Package orttest finds the onnxruntime library for tests.
package orttest

import (
	"os"
	"path/filepath"
	"testing"
)

// Library returns the path of the onnxruntime library that tests use: that of PFNAMP_ORT_LIB, or
// the one that scripts/setup.sh has put into build/lib/pfnamp of the repository. Without one the
// test is skipped, and fails where CI is "true".
func Library(t testing.TB) string {
	t.Helper()
	if path := os.Getenv("PFNAMP_ORT_LIB"); path != "" {
		return path
	}
	if path := fetched(); path != "" {
		return path
	}
	const missing = "no onnxruntime library: run scripts/setup.sh or set PFNAMP_ORT_LIB"
	if os.Getenv("CI") == "true" {
		t.Fatal(missing)
	}
	t.Skip(missing)
	return ""
}

// fetched looks for build/lib/pfnamp in the working folder and above.
func fetched() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for {
		files, _ := filepath.Glob(filepath.Join(dir, "build", "lib", "pfnamp", "libonnxruntime*.*[0-9b]"))
		if len(files) > 0 {
			return files[0]
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}
