package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
)

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
