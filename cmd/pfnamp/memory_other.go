//go:build !linux

package main

// limitMemory does nothing: systems other than Linux do not enforce this limit.
func limitMemory(uint64) error { return nil }

// addressSpace is 0, for any, likewise.
func addressSpace() uint64 { return 0 }
