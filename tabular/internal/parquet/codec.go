package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/apache/arrow-go/v18/parquet"
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

// Limits on pages in the delta encodings: their decoders allocate what pages declare.
const (
	maxDeltaBlock  = 1 << 20 // values of a block
	maxDeltaValues = 1 << 23 // values of a page of strings
)

// deltaEncoded reports whether an encoding starts with a delta header.
func deltaEncoded(encoding int64) bool {
	switch parquet.Encoding(encoding) {
	case parquet.Encodings.DeltaBinaryPacked, parquet.Encodings.DeltaByteArray,
		parquet.Encodings.DeltaLengthByteArray:
		return true
	}
	return false
}

// checkDelta checks the headers that the decoder of a delta-encoded page trusts.
func (h pageHeader) checkDelta(values []byte) error {
	encoding := parquet.Encoding(h.encoding)
	if encoding != parquet.Encodings.DeltaBinaryPacked && h.values > maxDeltaValues {
		return fmt.Errorf("a page has %d strings, at most %d are possible", h.values, maxDeltaValues)
	}
	rest, err := skipDelta(values, h.values)
	if err == nil && encoding == parquet.Encodings.DeltaByteArray {
		_, err = skipDelta(rest, h.values)
	}
	return err
}

// errLevels reports definition levels that end before the rows of a page.
var errLevels = errors.New("a page ends in its levels")

// pageValues returns the encoded values of a page, decompressed.
func (c chunk) pageValues(packed []byte, h pageHeader) ([]byte, error) {
	values := packed[h.levels:]
	if !h.plain && len(values) > 0 {
		codec, err := compress.GetCodec(c.codec)
		if err != nil {
			return nil, err
		}
		if h.levels > h.full {
			return nil, errors.New("the levels are longer than the page")
		}
		values, err = compress.Decode(codec, make([]byte, h.full-h.levels), values)
		if err != nil {
			return nil, fmt.Errorf("decompression: %w", err)
		}
	}
	if !c.optional || h.v2Data {
		return values, nil
	}
	end := int((h.values + 7) / 8) // of bit-packed levels
	if parquet.Encoding(h.levelEncoding) == parquet.Encodings.RLE {
		if len(values) < 4 {
			return nil, errLevels
		}
		end = 4 + int(binary.LittleEndian.Uint32(values))
	}
	if end > len(values) {
		return nil, errLevels
	}
	return values[end:], nil
}

// skipDelta checks a sequence of at most n values in the DELTA_BINARY_PACKED encoding, and returns
// the bytes after it. Layout: block size, miniblocks per block, number of values, first value; then
// blocks, each of a minimum, a bit width per miniblock, and the packed miniblocks
// (https://github.com/apache/parquet-format/blob/master/Encodings.md).
func skipDelta(b []byte, n int64) ([]byte, error) {
	at, short := 0, false
	number := func() uint64 { // integers as in Thrift
		v, n := binary.Uvarint(b[at:])
		short = short || n <= 0
		at += max(n, 0)
		return v
	}
	block, mini, count := number(), number(), number()
	number()
	switch {
	case short:
		return nil, errors.New("the delta header is damaged")
	case block == 0 || block > maxDeltaBlock || mini == 0 || mini > block || block%mini != 0:
		return nil, fmt.Errorf("a delta block has %d values in %d parts", block, mini)
	case count > uint64(n):
		return nil, fmt.Errorf("a page of %[2]d values has %[1]d delta values", count, n)
	}
	each := int(block / mini)
	for left := int(count) - 1; left > 0; {
		number()
		widths := at
		at += int(mini)
		for i := 0; i < int(mini) && left > 0 && at <= len(b); i++ {
			at += (each*int(b[widths+i]) + 7) / 8
			left -= each
		}
		if short || at > len(b) {
			return nil, errors.New("the delta values end early")
		}
	}
	return b[at:], nil
}
