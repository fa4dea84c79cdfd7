//go:build linux

package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// TestSweep removes what nobody has locked, and nothing else.
func TestSweep(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	live, err := Create(at("out"))
	if err != nil {
		t.Fatal(err)
	}
	made, madeAt, err := create(folder, OpMkdir, makeFolder)
	if err != nil {
		t.Fatal(err)
	}
	defer made.Close()
	temporary := func(name string) string { return at(prefix() + name + suffix) }
	dead := []string{temporary("1"), temporary("2")}
	elsewhere := at(".pfnamp-other-1" + suffix)
	link, pipe := temporary("3"), temporary("4")
	keep := []string{live.temp, madeAt, elsewhere, link, pipe, at(prefix()), at("x.tmp"),
		at("linked")}
	err = errors.Join(os.WriteFile(dead[0], []byte("x"), 0o600), os.Mkdir(dead[1], 0o700),
		os.WriteFile(filepath.Join(dead[1], "x"), nil, 0o600), os.Symlink("linked", link),
		syscall.Mkfifo(pipe, 0o600))
	for _, name := range []string{elsewhere, keep[5], keep[6], keep[7]} {
		err = errors.Join(err, os.WriteFile(name, nil, 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	swept.Clear()
	sweep(folder)
	left, err := filepath.Glob(at("*"))
	hidden, err2 := filepath.Glob(at(".*"))
	left = slices.Concat(left, hidden)
	slices.Sort(left)
	left = slices.Compact(left)
	slices.Sort(keep)
	if err := errors.Join(err, err2); err != nil || !slices.Equal(left, keep) {
		t.Errorf("left %q, want %q, %v", left, keep, err)
	}
	if err := live.Commit(); err != nil {
		t.Error(err)
	}
}

// TestSweptBeforeLocked: what another process takes for dead, as it has no lock yet, is made again.
func TestSweptBeforeLocked(t *testing.T) {
	folder, opened := t.TempDir(), 0
	file, path, err := create(folder, OpCreate, func(path string) (*os.File, error) {
		file, err := os.Create(path)
		if opened++; opened == 1 {
			removeStale(path, false)
		}
		return file, err
	})
	if err != nil || opened != 2 || !isAt(file, path) || len(names(t, folder)) != 1 {
		t.Errorf("opened %d times, left %q, %v", opened, names(t, folder), err)
	}
	file.Close()
}

// TestSweepWhileWriting lets some write and others sweep: nobody loses a file or a folder.
func TestSweepWhileWriting(t *testing.T) {
	folder := t.TempDir()
	var writers, sweepers sync.WaitGroup
	var done atomic.Bool
	for worker := range 4 {
		write := writeFile
		if worker%2 == 0 {
			write = writeFolder
		}
		writers.Go(func() {
			for i := range 40 {
				if err := write(filepath.Join(folder, fmt.Sprint(worker))); err != nil {
					t.Errorf("number %d: %v", i, err)
					return
				}
			}
		})
	}
	for range 2 {
		sweepers.Go(func() {
			for !done.Load() {
				swept.Clear()
				sweep(folder)
			}
		})
	}
	writers.Wait()
	done.Store(true)
	sweepers.Wait()
	if left := names(t, folder); len(left) != 4 {
		t.Errorf("left %q", left)
	}
}

func writeFile(path string) error {
	file, err := Create(path)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(file, path)
	return errors.Join(err, file.Commit())
}

func writeFolder(path string) error {
	return WriteFolder(path, true, func(f *Folder) error { return f.WriteFile("x/y", nil) })
}
