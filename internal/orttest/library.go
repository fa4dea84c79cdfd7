// Package orttest finds the onnxruntime library for tests.
package orttest

import (
	"cmp"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

// Library returns the path of the onnxruntime library for tests: PFNAMP_ORT_LIB, or the library of
// scripts/tools/setup.sh in build/lib/pfnamp of the repository. Without one, it skips the test, or
// fails it if CI is "true".
func Library(t testing.TB) string {
	t.Helper()
	if path := found(); path != "" {
		return path
	}
	const missing = "no onnxruntime library: run scripts/tools/setup.sh or set PFNAMP_ORT_LIB"
	if os.Getenv("CI") == "true" {
		t.Fatal(missing)
	}
	t.Skip(missing)
	return ""
}

// Main runs the tests of a package with examples that need the library, and sets PFNAMP_ORT_LIB for
// them. examples is a regular expression of their names. Examples cannot skip themselves, so
// without a library Main leaves them out, or fails if CI is "true". Call it from TestMain.
func Main(m *testing.M, examples string) {
	flag.Parse()
	skip := flag.Lookup("test.skip").Value
	switch path := found(); {
	case path != "":
		os.Setenv("PFNAMP_ORT_LIB", path)
	case os.Getenv("CI") != "true" && skip.String() == "":
		skip.Set(examples)
	}
	m.Run()
}

// found returns the path of the library, or "".
func found() string {
	return cmp.Or(os.Getenv("PFNAMP_ORT_LIB"), upward("build/lib/pfnamp/libonnxruntime*.*[0-9b]"))
}

// upward returns the first path that matches a pattern in the working folder or above, or "".
func upward(pattern string) string {
	dir, _ := os.Getwd()
	for {
		if files, _ := filepath.Glob(filepath.Join(dir, pattern)); len(files) > 0 {
			return files[0]
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
		dir = filepath.Dir(dir)
	}
}
