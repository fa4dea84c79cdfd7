package models

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/internal/diskfault"
)

// TestInstallFaults lets every call of the file system fail by which a bundle replaces another, or
// none: there is the old one or the new one, and nothing is left behind.
func TestInstallFaults(t *testing.T) {
	b, err := Load(tiny)
	if err != nil {
		t.Fatal(err)
	}
	old := map[string]string{"mine/": "", "mine/manifest.json": "old"}
	for _, before := range []map[string]string{{}, old} {
		dir := filepath.Join(t.TempDir(), "models")
		install := func() error {
			_, err := b.Install(dir, "mine", true)
			return err
		}
		prepare := func() {
			err := errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o700))
			if len(before) > 0 {
				path := filepath.Join(dir, "mine")
				err = errors.Join(err, os.Mkdir(path, 0o700),
					os.WriteFile(filepath.Join(path, "manifest.json"), []byte("old"), 0o600))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		prepare()
		if err := install(); err != nil {
			t.Fatal(err)
		}
		after := diskfault.Files(t, dir)
		faults := diskfault.Walk(t, prepare, install, func(f diskfault.Fault, err error) {
			got := diskfault.Files(t, dir)
			if f.Op == atomicfile.OpRemove {
				maps.DeleteFunc(got, func(name, _ string) bool { return strings.HasPrefix(name, ".") })
			}
			late := f.Op == atomicfile.OpSyncDir || f.Op == atomicfile.OpRemove
			switch {
			case err == nil:
				t.Errorf("%v: no error", f)
			case !maps.Equal(got, before) && !(late && maps.Equal(got, after)):
				t.Errorf("%v: error %v, the folder holds %.200q", f, err, got)
			}
		})
		t.Logf("%d faults", faults)
	}
}

// TestInstallOnce installs under one name from several goroutines: one succeeds, and the others
// get the error that the bundle exists.
func TestInstallOnce(t *testing.T) {
	b, err := Load(tiny)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var made atomic.Int32
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			_, err := b.Install(dir, "mine", false)
			if err == nil {
				made.Add(1)
			} else if !errors.Is(err, fs.ErrExist) {
				t.Error(err)
			}
		})
	}
	group.Wait()
	left, err := os.ReadDir(dir)
	if made.Load() != 1 || err != nil || len(left) != 1 {
		t.Errorf("%d succeeded, left %v, %v", made.Load(), left, err)
	}
}
