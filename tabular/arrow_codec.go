package tabular

import (
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// Compression methods of Arrow buffers.
const (
	methodLZ4  = 0
	methodZstd = 1
)

// An arrowCodec decompresses buffers; it holds what is worth keeping between them.
type arrowCodec struct{ zstd *zstd.Decoder }

// decompress expands a buffer to exactly n bytes.
func (c *arrowCodec) decompress(method int64, src []byte, n int) (dst []byte, err error) {
	switch method {
	case methodZstd:
		if c.zstd == nil {
			c.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1),
				zstd.WithDecodeAllCapLimit(true))
			if err != nil {
				return nil, err
			}
		}
		dst, err = c.zstd.DecodeAll(src, make([]byte, 0, n))
		if err == nil && len(dst) != n {
			err = fmt.Errorf("buffer expands to %d bytes in place of %d", len(dst), n)
		}
	case methodLZ4:
		dst = make([]byte, n)
		_, err = io.ReadFull(lz4.NewReader(bytes.NewReader(src)), dst)
	default:
		err = fmt.Errorf("unknown compression %d", method)
	}
	if err != nil {
		return nil, fmt.Errorf("decompression: %w", err)
	}
	return dst, nil
}

// close frees the decompressor.
func (c *arrowCodec) close() {
	if c.zstd != nil {
		c.zstd.Close()
	}
}
