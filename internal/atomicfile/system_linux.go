package atomicfile

import (
	"fmt"
	"os"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// boot identifies this start of this machine, "" if unknown.
var boot = sync.OnceValue(func() string {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.ReplaceAll(strings.TrimSpace(string(id)), "-", "")
})

// openUnnamed opens a file without a name in a folder. It disappears with the process.
func openUnnamed(folder string) (*os.File, error) {
	file, err := os.OpenFile(folder, unix.O_TMPFILE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	if _, err := os.Readlink(descriptor(file)); err != nil { // without /proc it cannot be named later
		file.Close()
		return nil, err
	}
	return file, nil
}

// linkUnnamed gives the file of openUnnamed a name that must be free.
func linkUnnamed(file *os.File, path string) error {
	err := unix.Linkat(unix.AT_FDCWD, descriptor(file), unix.AT_FDCWD, path, unix.AT_SYMLINK_FOLLOW)
	if err != nil {
		return &os.LinkError{Op: "link", New: path, Err: err}
	}
	return nil
}

// descriptor returns Linux's path of an open file.
func descriptor(file *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", file.Fd()) }

// rename2 is os.Rename with the flags of renameat2(2).
func rename2(from, to string, flags uint) error {
	if err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, flags); err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

// exchange exchanges two names in one step.
func exchange(a, b string) error { return rename2(a, b, unix.RENAME_EXCHANGE) }

// claim renames to a name that must be free.
func claim(from, to string) error { return rename2(from, to, unix.RENAME_NOREPLACE) }
