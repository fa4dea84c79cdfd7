//go:build embedort

package ort

import (
	_ "embed"
	"os"
	"sync"
)

//go:embed embedded/libonnxruntime.zst
var embeddedData []byte

//go:embed embedded/libonnxruntime.sha256
var embeddedSum string

// unpackOnce unpacks the library at its first use; every further use is the same file.
var unpackOnce = sync.OnceValues(func() (string, error) {
	return embedded().unpack(cacheDir(os.Getenv))
})

func embedded() packed { return newPacked(embeddedSum, embeddedData) }

func unpackEmbedded(string) ([]string, error) {
	path, err := unpackOnce()
	if err != nil {
		return nil, err
	}
	return []string{path}, nil
}
