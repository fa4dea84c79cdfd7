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

// flush does nothing: Sync has reported what there is.
func flush(*os.File) error { return nil }

const staleFlags = 0
