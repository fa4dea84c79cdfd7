//go:build !packed

package models

import (
	"embed"
	"io/fs"
)

// The folders of bundles. A test compares them with inside.
//
//go:embed */*.json */*.onnx */LICENSE */SHA256SUMS
var embedded embed.FS

func filesOf(folder string) (fs.FS, error) { return fs.Sub(embedded, folder) }
