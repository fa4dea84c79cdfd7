//go:build unix

package atomicfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lock marks an open file or folder as that of a live process. It waits for a process that is
// checking the mark. The mark disappears when the file is closed or the process ends.
func lock(file *os.File) error { return flock(file, unix.LOCK_EX) }

// tryLock is lock without waiting: it fails if the process with the lock is alive.
func tryLock(file *os.File) error { return flock(file, unix.LOCK_EX|unix.LOCK_NB) }

func flock(file *os.File, how int) error {
	for {
		if err := unix.Flock(int(file.Fd()), how); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// flush returns the errors of closing a file, but leaves it open with its lock.
func flush(file *os.File) error {
	again, err := unix.FcntlInt(file.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return err
	}
	return unix.Close(again)
}

// staleFlags open a file of a killed process without following links or waiting.
const staleFlags = unix.O_NOFOLLOW | unix.O_NONBLOCK
