package atomicfile_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/internal/diskfault"
	"github.com/pfnamp/pfnamp/internal/must"
)

// restore makes a folder that holds these files and no others.
func restore(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	err := errors.Join(os.RemoveAll(folder), os.Mkdir(folder, 0o700))
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(folder, name)
		if strings.HasSuffix(name, "/") {
			err = errors.Join(err, os.Mkdir(path, 0o700))
		} else {
			err = errors.Join(err, os.WriteFile(path, []byte(files[name]), 0o600))
		}
	}
	must.Succeed(t, err)
}

// temporary tells what is left behind.
func temporary(name string) bool { return strings.Contains("/"+name, "/.") }

// checkFault demands that a folder is as before after a fault, or as after a success if the fault
// is in the sync of the folder. Only a success may return no error. Only a fault in a removal may
// leave temporary files behind.
func checkFault(
	t *testing.T, f diskfault.Fault, err error, got, before, after map[string]string,
) {
	t.Helper()
	if f.Op == atomicfile.OpRemove {
		maps.DeleteFunc(got, func(name, _ string) bool { return temporary(name) })
	}
	want := before
	if err == nil || f.Op == atomicfile.OpSyncDir || f.Op == atomicfile.OpRemove &&
		maps.Equal(got, after) {
		want = after
	}
	if !maps.Equal(got, want) {
		t.Errorf("%v: error %v, the folder holds %q", f, err, got)
	}
	if err == nil {
		t.Errorf("%v: no error", f)
	}
}

// text is written in three pieces.
const text = "abcdefghijkl"

// write writes a file in pieces.
func write(path string) (*atomicfile.File, error) {
	file, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	for at := 0; at < len(text); at += 4 {
		if _, err := file.Write([]byte(text[at : at+4])); err != nil {
			return nil, errors.Join(err, file.Abort())
		}
	}
	return file, nil
}

// TestFileFaults lets every call fail by which a file is written, over an old one and over none.
func TestFileFaults(t *testing.T) {
	folder, faults := filepath.Join(t.TempDir(), "f"), 0
	after := map[string]string{"out": text}
	for _, before := range []map[string]string{{}, {"out": "old"}} {
		faults += diskfault.Walk(t, func() { restore(t, folder, before) }, func() error {
			file, err := write(filepath.Join(folder, "out"))
			if err != nil {
				return err
			}
			return file.Commit()
		}, func(f diskfault.Fault, err error) {
			checkFault(t, f, err, diskfault.Files(t, folder), before, after)
		})
	}
	if faults < 25 {
		t.Errorf("%d faults", faults)
	}
	t.Logf("%d faults", faults)
}

// TestTogetherFaults does the same for files that appear together, two of them over old ones.
func TestTogetherFaults(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "f")
	before := map[string]string{"a": "old a", "sub/": "", "sub/c": "old c"}
	after := map[string]string{"a": text, "b": text, "sub/": "", "sub/c": text}
	faults := diskfault.Walk(t, func() { restore(t, folder, before) }, func() error {
		var files []*atomicfile.File
		for _, name := range []string{"a", "b", "sub/c"} {
			file, err := write(filepath.Join(folder, name))
			if err != nil {
				for _, f := range files {
					err = errors.Join(err, f.Abort())
				}
				return err
			}
			files = append(files, file)
		}
		return atomicfile.Commit(files...)
	}, func(f diskfault.Fault, err error) {
		got := diskfault.Files(t, folder)
		if f.Op == atomicfile.OpRename { // those before it cannot be given back
			for name := range got {
				if got[name] == text {
					delete(got, name)
					if old, there := before[name]; there {
						got[name] = old
					}
				}
			}
		}
		checkFault(t, f, err, got, before, after)
	})
	t.Logf("%d faults", faults)
}

// TestFolderFaults does the same for a folder that replaces another, or none.
func TestFolderFaults(t *testing.T) {
	folder, faults := filepath.Join(t.TempDir(), "f"), 0
	after := map[string]string{"new/": "", "new/a": text, "new/b/": "", "new/b/c": "c"}
	for _, before := range []map[string]string{{}, {"new/": "", "new/a": "old"}} {
		faults += diskfault.Walk(t, func() { restore(t, folder, before) }, func() error {
			return atomicfile.WriteFolder(filepath.Join(folder, "new"), true,
				func(made *atomicfile.Folder) error {
					err := made.WriteFile("a", []byte(text))
					if err != nil {
						return err
					}
					return made.WriteFile("b/c", []byte("c"))
				})
		}, func(f diskfault.Fault, err error) {
			got := diskfault.Files(t, folder)
			want := after
			if f.Op == atomicfile.OpSyncDir && !maps.Equal(got, after) { // that of a folder inside
				want = before
			}
			checkFault(t, f, err, got, before, want)
		})
	}
	t.Logf("%d faults", faults)
}

// TestFullDeviceTogether lets the device be full that one of the outputs is.
func TestFullDeviceTogether(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full")
	}
	folder := t.TempDir()
	file, err := write(filepath.Join(folder, "out"))
	must.Succeed(t, err)
	if _, err := write("/dev/full"); err == nil {
		t.Error("no error")
	}
	if err := file.Abort(); err != nil || len(diskfault.Files(t, folder)) > 0 {
		t.Errorf("left behind: %v", err)
	}
}
