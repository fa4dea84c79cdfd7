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
