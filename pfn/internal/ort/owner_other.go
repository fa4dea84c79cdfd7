//go:build !unix

package ort

import "io/fs"

// ours cannot tell here.
func ours(fs.FileInfo) bool { return true }
