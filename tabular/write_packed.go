package tabular

import (
	"compress/gzip"
	"io"

	"github.com/klauspost/compress/zstd"
)

// newPacker returns a compressor for an extension, .gz or .zst. Its output depends only on its
// input.
func newPacker(w io.Writer, extension string) (io.WriteCloser, error) {
	if extension == ".gz" {
		return gzip.NewWriter(w), nil
	}
	return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
}
