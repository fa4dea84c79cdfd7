//go:build embedort && linux

package ort

import (
	_ "embed"
	"sync"
)

//go:embed embedded/libonnxruntime.zst
var embeddedData []byte

//go:embed embedded/libonnxruntime.sha256
var embeddedSum string

// unpackOnce unpacks the library at its first use; every further use is the same file.
var unpackOnce = sync.OnceValues(func() (string, error) {
	return newPacked(embeddedSum, embeddedData).toMemory()
})

// embedded is the place of the library that this program carries.
func embedded() place {
	p := newPacked(embeddedSum, nil)
	return place{where: "embedded", path: p.name, sha256: p.sha256, fault: NotUnpacked,
		candidates: func(string) ([]string, error) {
			path, err := unpackOnce()
			return []string{path}, err
		}}
}
