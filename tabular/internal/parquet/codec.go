package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/klauspost/compress/snappy"
	"github.com/pierrec/lz4/v4"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// registerCodecs replaces the decompressors of the Parquet library that trust the size declared by
// the compressed data, by ones that stop at the size of the page. It also adds LZ4 in Hadoop's
// framing. The library's table of codecs is global and has no lock, so it is changed once, before
// the first file is opened.
var registerCodecs = sync.OnceValue(func() error {
	for _, bounded := range []struct {
		id     compress.Compression
		decode func(dst, src []byte) ([]byte, error)
	}{
		{compress.Codecs.Zstd, ground.Unzstd},
		{compress.Codecs.Snappy, decodeSnappy},
	} {
		codec, err := compress.GetCodec(bounded.id)
		if err != nil {
			return err
		}
		compress.RegisterCodec(bounded.id, boundedCodec{codec, bounded.decode})
	}
	raw, err := compress.GetCodec(compress.Codecs.Lz4Raw)
	if err != nil {
		return err
	}
	compress.RegisterCodec(compress.Codecs.Lz4, boundedCodec{raw, decodeHadoop})
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

// decodeHadoop decompresses the deprecated LZ4 codec of Parquet. It has two forms
// (https://github.com/apache/parquet-format/blob/master/Compression.md): Hadoop's, a sequence of
// blocks each after its decompressed and compressed sizes in big-endian order, and a bare block.
func decodeHadoop(dst, src []byte) ([]byte, error) {
	if n, err := hadoopBlocks(dst, src); err == nil {
		return dst[:n], nil
	}
	n, err := lz4.UncompressBlock(src, dst)
	if err != nil {
		return nil, err
	}
	return dst[:n], nil
}

// hadoopBlocks decompresses Hadoop's form and returns the number of bytes.
func hadoopBlocks(dst, src []byte) (int, error) {
	done := 0
	for len(src) >= 8 {
		full := int(binary.BigEndian.Uint32(src))
		packed := int(binary.BigEndian.Uint32(src[4:]))
		src = src[8:]
		if packed > len(src) || full > len(dst)-done {
			return 0, errors.New("not Hadoop's form")
		}
		n, err := lz4.UncompressBlock(src[:packed], dst[done:done+full])
		if err != nil || n != full {
			return 0, errors.New("not Hadoop's form")
		}
		done += n
		src = src[packed:]
	}
	if len(src) > 0 || done != len(dst) {
		return 0, errors.New("not Hadoop's form")
	}
	return done, nil
}
