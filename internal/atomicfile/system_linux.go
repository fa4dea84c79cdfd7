package atomicfile

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock marks an open file or folder as that of a live process, unless another process has done so.
// The mark disappears when the file is closed or the process ends.
func lock(file *os.File) error { return unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) }
