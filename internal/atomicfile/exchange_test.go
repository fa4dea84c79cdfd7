//go:build linux

package atomicfile

import (
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
)

// TestFolderIsAlwaysThere looks at a folder all the time while it is replaced.
func TestFolderIsAlwaysThere(t *testing.T) {
	target := filepath.Join(t.TempDir(), "bundle")
	var watching, stop atomic.Bool
	missing, done := 0, make(chan bool)
	for round := range 40 {
		if err := WriteFolder(target, true, func(*Folder) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if round > 0 {
			continue
		}
		if err := exchange(target, target); unsupported(err) {
			t.Skip("the file system cannot exchange names")
		}
		go func() {
			for !stop.Load() {
				if _, err := os.Stat(target); err != nil {
					missing++
				}
				watching.Store(true)
			}
			close(done)
		}()
		for !watching.Load() {
			continue
		}
	}
	stop.Store(true)
	if <-done; missing > 0 {
		t.Errorf("the folder was missing %d times", missing)
	}
}
