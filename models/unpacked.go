//go:build !packed

package models

import (
	"embed"
	"io/fs"
)

//go:embed default/*.json default/*.onnx default/LICENSE
//go:embed classifier/*.json classifier/*.onnx classifier/LICENSE
var embedded embed.FS

// filesOf returns the files of an embedded bundle.
func filesOf(folder string) (fs.FS, error) { return fs.Sub(embedded, folder) }
