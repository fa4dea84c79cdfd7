//go:build !unix

package atomicfile

import (
	"errors"
	"os"
)

// lock is not supported.
func lock(*os.File) error { return errors.ErrUnsupported }

// tryLock is not supported.
func tryLock(*os.File) error { return errors.ErrUnsupported }

// flush closes the file: Windows renames none that is open.
func flush(file *os.File) error { return file.Close() }

const staleFlags = 0
