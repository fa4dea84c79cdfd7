//go:build linux

package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// noUnnamed makes a test run where every file has a temporary name from the start.
func noUnnamed(t *testing.T) {
	Fault = func(op Op) error {
		if op == OpUnnamed {
			return errors.ErrUnsupported
		}
		return nil
	}
	t.Cleanup(func() { Fault = nil })
}

// TestSweep removes what nobody has locked, and nothing else.
func TestSweep(t *testing.T) {
	noUnnamed(t)
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	live, err := Create(at("out"))
	if err != nil {
		t.Fatal(err)
	}
	made, err := CreateFolder(at("bundle"))
	if err != nil {
		t.Fatal(err)
	}
	dead := []string{temporaryName(folder, true), temporaryName(folder, true)}
	elsewhere := strings.Replace(temporaryName(folder, true), boot(), strings.Repeat("0", 32), 1)
	link, pipe := temporaryName(folder, true), temporaryName(folder, true)
	keep := []string{live.temp, made.temp, temporaryName(folder, false), elsewhere, link, pipe,
		at(".pfnamp-" + boot()), at("x.tmp"), at("linked")}
	err = errors.Join(os.WriteFile(dead[0], []byte("x"), 0o600), os.Mkdir(dead[1], 0o700),
		os.WriteFile(filepath.Join(dead[1], "x"), nil, 0o600), os.Symlink("linked", link),
		syscall.Mkfifo(pipe, 0o600))
	for _, name := range []string{keep[2], elsewhere, keep[6], keep[7], keep[8]} {
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
	if err := errors.Join(live.Commit(), made.Commit(false)); err != nil {
		t.Error(err)
	}
}

// TestSweptBeforeLocked: what another process takes for dead, as it has no lock yet, is made again.
func TestSweptBeforeLocked(t *testing.T) {
	folder, opened := t.TempDir(), 0
	file, path, err := create(folder, OpCreate, func(path string) (*os.File, error) {
		file, err := os.Create(path)
		if opened++; opened == 1 {
			removeStale(path)
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
	noUnnamed(t)
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
	folder, err := CreateFolder(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.WriteFile("x/y", nil), folder.Commit(true))
}
