//go:build linux

package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/internal/must"
)

// TestSweep removes what nobody has locked, and nothing else.
func TestSweep(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	live, err := Create(at("out"))
	must.Succeed(t, err)
	made, madeAt, err := create(folder, OpMkdir, makeFolder)
	must.Succeed(t, err)
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
	long := time.Now().Add(-stale)
	for _, path := range slices.Concat(dead, []string{live.temp, madeAt, elsewhere, keep[5]}) {
		err = errors.Join(err, os.Chtimes(path, long, long))
	}
	fresh := temporary("5") // its process has not locked it yet
	keep = append(keep, fresh)
	err = errors.Join(err, os.WriteFile(fresh, nil, 0o600))
	must.Succeed(t, err)
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
	must.Succeed(t, live.Commit())
}
