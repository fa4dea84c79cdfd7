//go:build !linux

package ort

import "errors"

func (p packed) toMemory() (string, error) {
	return "", errors.New("this system cannot load a library from memory")
}
