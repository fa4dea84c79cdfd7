//go:build cgo && (linux || darwin)

package ort

/*
#include "signals.h"
*/
import "C"

// keepingSignals calls native and afterwards puts back every signal handler that it has changed:
// the CUDA provider installs its own, and Go's Ctrl-C handling would be lost. It returns the
// changed signals as bits.
func keepingSignals(native func()) uint32 {
	var handlers C.pfnamp_handlers
	C.pfnamp_save(&handlers)
	native()
	return uint32(C.pfnamp_restore(&handlers))
}
