//go:build cgo && (linux || darwin)

package ort

/*
#include "signals.h"
*/
import "C"

import "sync"

// A guard is the state of the signal handlers before the first of the native calls in flight.
type guard struct {
	mu       sync.Mutex
	depth    int
	handlers C.pfnamp_handlers
}

// keepingSignals calls native and afterwards puts back every signal handler that it has changed:
// the CUDA provider installs its own, and Go's Ctrl-C handling would be lost. It returns the
// changed signals as bits.
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
