package atomicfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lock marks an open file or folder as that of a live process. The mark disappears when the file is
// closed or the process ends. If another process has the lock, lock waits or fails.
func lock(file *os.File, wait bool) error {
	how := unix.LOCK_EX
	if !wait {
		how |= unix.LOCK_NB
	}
	for {
		if err := unix.Flock(int(file.Fd()), how); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// exchange exchanges two names in one step.
func exchange(a, b string) error {
	if err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE); err != nil {
		return &os.LinkError{Op: "rename", Old: a, New: b, Err: err}
	}
	return nil
}
