//go:build cgo && !windows

// Package descriptors reports which standard streams were closed when the program started.
package descriptors

// #include "closed.h"
import "C"

// Closed reports whether standard input (0), output (1) or error (2) was closed when the program
// started. Go replaces it by /dev/null, so that output would be lost without an error.
func Closed(fd int) bool { return C.pfnamp_closed(C.int(fd)) != 0 }
