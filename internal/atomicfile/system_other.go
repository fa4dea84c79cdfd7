//go:build !linux

package atomicfile

import (
	"errors"
	"os"
)

// boot returns "": files of killed processes are not removed.
func boot() string { return "" }

// openUnnamed is not supported.
func openUnnamed(string) (*os.File, error) { return nil, errors.ErrUnsupported }

// linkUnnamed is not supported.
func linkUnnamed(*os.File, string) error { return errors.ErrUnsupported }

// exchange is not supported.
func exchange(_, _ string) error { return errors.ErrUnsupported }

// claim is not supported.
func claim(_, _ string) error { return errors.ErrUnsupported }
