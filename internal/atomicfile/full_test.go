//go:build linux

package atomicfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/internal/diskfault"
)

// fullFolder holds, in the environment of the child process, the folder to mount a small disk on.
const fullFolder = "PFNAMP_TEST_FULL"

// TestFullDisk writes to a disk of 256 kB that is too small for some of the files. It is mounted by
// a child process in a name space of its own, which takes no privilege where the system allows it.
func TestFullDisk(t *testing.T) {
	c := exec.Command(os.Args[0], "-test.run=^TestFullChild$", "-test.v")
	c.Env = append(os.Environ(), fullFolder+"="+t.TempDir())
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}}
	out, err := c.CombinedOutput()
	switch {
	case c.ProcessState == nil:
		t.Skipf("no name space of one's own: %v", err)
	case bytes.Contains(out, []byte("cannot mount")):
		t.Skipf("%s", out)
	case err != nil || !bytes.Contains(out, []byte("--- PASS: TestFullChild")):
		t.Errorf("%v\n%s", err, out)
	}
}

// TestFullChild is the child process of TestFullDisk.
func TestFullChild(t *testing.T) {
	folder := os.Getenv(fullFolder)
	if folder == "" {
		t.Skip("the child process of another test")
	}
	if err := unix.Mount("none", folder, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("cannot mount: %v", err)
	}
	written, full := 0, 0
	for size := 0; size < 300<<10; size += 10 << 10 {
		for _, name := range []string{"a", "out"} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte("old"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		text := strings.Repeat("x", size)
		err := writeTwo(folder, text)
		want := "old"
		switch {
		case err == nil:
			want, written = text, written+1
		case !errors.Is(err, syscall.ENOSPC):
			t.Errorf("2 x %d bytes: %v", size, err)
		default:
			full++
		}
		got := diskfault.Files(t, folder)
		if len(got) != 2 || got["a"] != want || got["out"] != want {
			t.Errorf("2 x %d bytes: %v, the disk holds %d files", size, err, len(got))
		}
	}
	if written == 0 || full == 0 {
		t.Errorf("%d pairs of files had room, %d had not", written, full)
	}
	fmt.Println(written, full)
}

// writeTwo writes two files together.
func writeTwo(folder, text string) error {
	var files []*atomicfile.File
	for _, name := range []string{"a", "out"} {
		file, err := atomicfile.Create(filepath.Join(folder, name))
		if err == nil {
			defer file.Abort()
			_, err = file.Write([]byte(text))
		}
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	return atomicfile.Commit(files...)
}
