package main

import (
	"os"
	"path/filepath"
	"testing"
)

// libraryForTests is the onnxruntime library that `make setup` fetched, or
// that PFNAMP_ORT_LIB names. Without one the test is skipped, except in CI.
func libraryForTests(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("PFNAMP_ORT_LIB"); path != "" {
		return path
	}
	found, err := filepath.Glob(filepath.Join("..", "..", "build", "lib", "pfnamp", "libonnxruntime*"))
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		const missing = "no onnxruntime library: run `make setup`"
		if os.Getenv("CI") == "true" {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	path, err := filepath.Abs(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return path
}
