//go:build !linux

package engine

// LimitMemory does nothing: systems other than Linux do not enforce this limit.
func LimitMemory(uint64) error { return nil }

// addressSpace is 0, for any, likewise.
func addressSpace() uint64 { return 0 }
