//go:build cgo && (linux || darwin)

package ort

/*
#include "signals.h"
*/
import "C"

import "sync"

// A guard holds the signal handlers before the first of the running native calls.
type guard struct {
	mu       sync.Mutex
	depth    int
	handlers C.pfnamp_handlers
}

// keepingSignals calls native and then restores every signal handler that it has changed. The CUDA
// provider installs its own handlers, which would break Go's Ctrl-C. It returns the changed signals
// as bits.
func keepingSignals(native func()) uint32 {
	g := &env.signals
	g.mu.Lock()
	if g.depth == 0 {
		C.pfnamp_save(&g.handlers)
	}
	g.depth++
	g.mu.Unlock()
	native()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.depth--
	return uint32(C.pfnamp_restore(&g.handlers))
}
