package parquet

import (
	"fmt"
	"sync"

	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
)

// registerCodecs replaces the decompressors of the Parquet library that trust the size declared by
// the compressed data, by ones that stop at the size of the page. The library's table of codecs is
// global and has no lock, so it is changed once, before the first file is opened.
var registerCodecs = sync.OnceValue(func() error {
	decoder, err := zstd.NewReader(nil, zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		return err
	}
	decodeZstd := func(dst, src []byte) ([]byte, error) {
		return decoder.DecodeAll(src, dst[:0:len(dst)])
	}
	for _, bounded := range []struct {
		id     compress.Compression
		decode func(dst, src []byte) ([]byte, error)
	}{
		{compress.Codecs.Zstd, decodeZstd},
		{compress.Codecs.Snappy, decodeSnappy},
	} {
		codec, err := compress.GetCodec(bounded.id)
		if err != nil {
			return err
		}
		compress.RegisterCodec(bounded.id, boundedCodec{codec, bounded.decode})
	}
	return nil
})

// boundedCodec is a codec of the Parquet library whose decompressor writes no more than its
// destination holds. It has no streaming form, so that whole pages are read.
type boundedCodec struct {
	compress.Codec
	decode func(dst, src []byte) ([]byte, error)
}

// DecodeWithError decompresses a page into dst.
func (c boundedCodec) DecodeWithError(dst, src []byte) ([]byte, error) {
	return c.decode(dst, src)
}

// decodeSnappy decompresses a snappy block.
func decodeSnappy(dst, src []byte) ([]byte, error) {
	if len(src) == 0 && len(dst) == 0 { // some writers store nothing as no bytes
		return dst, nil
	}
	n, err := snappy.DecodedLen(src)
	if err != nil {
		return nil, err
	}
	if n > len(dst) {
		return nil, fmt.Errorf("a page of %d bytes declares %d", len(dst), n)
	}
	return snappy.Decode(dst, src)
}
