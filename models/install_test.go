package models

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

func TestInstall(t *testing.T) {
	for folder, files := range map[string]int{tinyTabPFN: 7, tiny: 6} {
		testInstall(t, loaded(t, folder), files)
	}
}

// testInstall installs a bundle of so many files, twice.
func testInstall(t *testing.T, b *Bundle, files int) {
	dir := filepath.Join(t.TempDir(), "new", "models")
	path, err := b.Install(dir, "mine", false)
	must.Succeed(t, err)
	again := loaded(t, path)
	if again.SHA256() != b.SHA256() || !slices.Equal(again.Borders(), b.Borders()) {
		t.Errorf("the installed bundle is another one than %s", b.Source)
	}
	if _, err := b.Install(dir, "mine", false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second bundle of the same name: %v", err)
	}
	write(t, filepath.Join(path, "extra"), nil)
	_, err = b.Install(dir, "mine", true)
	must.Succeed(t, err)
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("left in the folder: %v, %v", left, err)
	}
	if found, err := os.ReadDir(path); err != nil || len(found) != files {
		t.Errorf("installed: %v, %v", found, err)
	}
	must.Succeed(t, os.CopyFS(filepath.Join(dir, ".half"), os.DirFS(tiny)))
	if found, err := List(dir); err != nil || len(found) != len(inside)+1 {
		t.Errorf("List found %+v, %v", found, err)
	}
}

func TestInstallNames(t *testing.T) {
	b, outer := loaded(t, tiny), t.TempDir()
	for _, name := range []string{"", ".", "..", "../x", "a/b", ".hidden", "default", "a b"} {
		if _, err := b.Install(filepath.Join(outer, "models"), name, true); err == nil {
			t.Errorf("name %q is accepted", name)
		}
	}
	if left, _ := os.ReadDir(outer); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	file := filepath.Join(outer, "file")
	write(t, file, nil)
	if _, err := b.Install(file, "x", false); err == nil {
		t.Error("a file serves as a folder")
	}
}

// TestInstallOnce installs under one name from several goroutines: one succeeds, and the others
// get the error that the bundle exists.
func TestInstallOnce(t *testing.T) {
	b, dir := loaded(t, tiny), t.TempDir()
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
