//go:build packed

package models

import (
	"archive/zip"
	"bytes"
	"embed"
	"io/fs"

	"github.com/klauspost/compress/zstd"
)

// Zip archives within zstd, written by the command models/pack.
//
//go:embed packed/*.zst
var embedded embed.FS

// filesOf returns the files of an embedded bundle.
func filesOf(folder string) (fs.FS, error) {
	small, err := embedded.ReadFile("packed/" + folder + ".zst")
	if err != nil {
		return nil, err
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	whole, err := decoder.DecodeAll(small, nil)
	if err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(whole), int64(len(whole)))
}
