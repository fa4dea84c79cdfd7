//go:build !linux

package atomicfile

import (
	"errors"
	"os"
)

// lock is not supported: files of killed processes are not removed.
func lock(*os.File) error { return errors.ErrUnsupported }
