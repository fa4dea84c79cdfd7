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

// flush closes the file, because Windows cannot rename an open file.
func flush(file *os.File) error { return file.Close() }

const staleFlags = 0
