//go:build cgo && !windows

// Package descriptors tells which standard streams a program was started with.
package descriptors

// #include "closed.h"
import "C"

// Closed says whether standard input (0), output (1) or error (2) was closed when the program
// started. Go puts /dev/null in its place, so that what is written is lost without an error.
func Closed(fd int) bool { return C.pfnamp_closed(C.int(fd)) != 0 }
