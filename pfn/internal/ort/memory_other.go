//go:build !linux

package ort

import "errors"

// toMemory fails: only Linux can load a library from memory.
func (p packed) toMemory() (string, error) {
	return "", errors.New("this system cannot load a library from memory")
}
