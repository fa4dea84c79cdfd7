//go:build embedort && cgo && (linux || darwin)

package ort

import (
	"os"
	"runtime"
	"strings"
	"testing"
)

// TestEmbedded finds, loads and runs the library that the program carries.
func TestEmbedded(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	f := isolated(map[string]string{"VIRTUAL_ENV": "/nonexistent"})
	lib, _, err := f.find()
	if err != nil {
		t.Fatal(err)
	}
	if lib.Source != "embedded" || len(lib.SHA256) != 64 {
		t.Errorf("library is %+v", lib)
	}
	if runtime.GOOS == "linux" {
		if !strings.HasPrefix(lib.Path, "/proc/self/fd/") {
			t.Errorf("path is %s", lib.Path)
		}
		if left, _ := os.ReadDir(os.Getenv("XDG_CACHE_HOME")); len(left) > 0 {
			t.Errorf("the disk was written to: %v", left)
		}
	}
	again, _, err := f.find()
	if err != nil || again.Path != lib.Path {
		t.Errorf("second time: %s, %v", again.Path, err)
	}
	if _, err := runSmoke(t.Context(), lib, "auto"); err != nil {
		t.Error(err)
	}
}
