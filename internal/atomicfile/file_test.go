package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

func names(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	must.Succeed(t, err)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// TestCause strips the paths of all joined errors, and loses none of them.
func TestCause(t *testing.T) {
	full, busy := errors.New("disk full"), errors.New("busy")
	write, remove := &fs.PathError{Op: "write", Path: "a.tmp", Err: full},
		&fs.PathError{Op: "remove", Path: "a.tmp", Err: busy}
	for _, c := range []struct {
		err  error
		want string
	}{
		{write, "disk full"},
		{full, "disk full"},
		{errors.Join(write, nil), "disk full"},
		{fmt.Errorf("%w, so %w", full, busy), "disk full, so busy"},
		{errors.Join(full, remove), "disk full\nbusy"},
		{errors.Join(write, remove), "disk full\nbusy"},
		{&os.LinkError{Op: "rename", Old: "a.tmp", New: "a", Err: busy}, "busy"},
	} {
		if got := Cause(c.err); got.Error() != c.want {
			t.Errorf("%v: cause %q, want %q", c.err, got, c.want)
		}
	}
}

// A folder that does not exist is missed even if the path leaves it again, and ".." of a linked
// folder is that of its target.
func TestFolders(t *testing.T) {
	folder := t.TempDir()
	must.Succeed(t, os.MkdirAll(filepath.Join(folder, "a", "b"), 0o755))
	if err := os.Symlink(filepath.Join("a", "b"), filepath.Join(folder, "link")); err != nil {
		t.Skip(err)
	}
	if _, err := Create(folder + "/none/../out.csv"); err == nil {
		t.Error("a folder that does not exist")
	}
	f, err := Create(folder + "/link/../out.csv")
	must.Succeed(t, err)
	must.Succeed(t, f.Commit())
	if got := names(t, filepath.Join(folder, "a")); !slices.Equal(got, []string{"b", "out.csv"}) {
		t.Errorf("the folder a has %q", got)
	}
}

func TestCommitReplaces(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "out.csv")
	must.Succeed(t, os.WriteFile(path, []byte("old"), 0o600))
	f, err := Create(path)
	must.Succeed(t, err)
	_, err = f.Write([]byte("new"))
	must.Succeed(t, err)
	if got, _ := os.ReadFile(path); string(got) != "old" {
		t.Errorf("before Commit the file holds %q", got)
	}
	must.Succeed(t, f.Commit())
	if err := f.Abort(); err != nil {
		t.Errorf("Abort after Commit: %v", err)
	}
	if got, _ := os.ReadFile(path); string(got) != "new" {
		t.Errorf("after Commit the file holds %q", got)
	}
	if got := names(t, folder); len(got) != 1 {
		t.Errorf("left behind: %q", got)
	}
}

func TestAbortLeavesNothing(t *testing.T) {
	folder := t.TempDir()
	f, err := Create(filepath.Join(folder, "out.csv"))
	must.Succeed(t, err)
	must.Succeed(t, f.Abort())
	if err := f.Abort(); err != nil {
		t.Errorf("second Abort: %v", err)
	}
	if got := names(t, folder); len(got) != 0 {
		t.Errorf("left behind: %q", got)
	}
}

func TestCreateRefuses(t *testing.T) {
	folder := t.TempDir()
	for _, path := range []string{folder, filepath.Join(folder, "nowhere", "out.csv")} {
		if _, err := Create(path); err == nil || strings.Contains(err.Error(), ".tmp") {
			t.Errorf("%s: %v", path, err)
		}
	}
}
