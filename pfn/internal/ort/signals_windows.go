//go:build cgo

package ort

// A guard has nothing to keep: Windows has no signal handlers that a library could replace.
type guard struct{}

// keepingSignals calls native.
func keepingSignals(native func()) uint32 {
	native()
	return 0
}
