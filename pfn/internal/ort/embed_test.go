//go:build embedort && cgo && linux

package ort

import (
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

// TestEmbedded finds, loads and runs the library that the program carries.
func TestEmbedded(t *testing.T) {
	f := isolated(map[string]string{"VIRTUAL_ENV": "/nonexistent"})
	lib, _, err := f.find()
	must.Succeed(t, err)
	if lib.Source != "embedded" || len(lib.SHA256) != 64 {
		t.Errorf("library is %+v", lib)
	}
	if !strings.HasPrefix(lib.Path, "/proc/self/fd/") {
		t.Errorf("path is %s", lib.Path)
	}
	again, _, err := f.find()
	if err != nil || again.Path != lib.Path {
		t.Errorf("second time: %s, %v", again.Path, err)
	}
	_, err = runSmoke(t.Context(), lib, "auto")
	must.Succeed(t, err)
}
