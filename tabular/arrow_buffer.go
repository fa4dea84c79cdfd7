package tabular

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Limits on what the buffers of one message may hold after decompression: maxRatio times the
// bytes of its body, but at least minDecompressed.
const (
	minDecompressed = 128 << 20
	maxRatio        = 64
)

// arrowBuffers hands out the buffers of a message in order.
type arrowBuffers struct {
	spans  fbVector
	at     int // next of spans
	body   []byte
	method int64 // of compression, -1 for none
	codec  *arrowCodec
	budget int64 // bytes that may still be decompressed
}

// next returns the next buffer, decompressed.
func (b *arrowBuffers) next() ([]byte, error) {
	if b.at >= b.spans.n {
		return nil, errors.New("fewer buffers than columns need")
	}
	offset, size := b.spans.int64(16*b.at), b.spans.int64(16*b.at+8)
	b.at++
	if offset < 0 || size < 0 || offset > int64(len(b.body)) ||
		size > int64(len(b.body))-offset {
		return nil, fmt.Errorf("buffer of %d bytes at %d in a body of %d", size, offset,
			len(b.body))
	}
	raw := b.body[offset : offset+size : offset+size]
	if b.method < 0 || size == 0 {
		return raw, nil
	}
	if size < 8 {
		return nil, fmt.Errorf("compressed buffer of %d bytes", size)
	}
	n := int64(binary.LittleEndian.Uint64(raw))
	if n == -1 { // stored without compression
		return raw[8:], nil
	}
	if b.budget -= n; n < 0 || b.budget < 0 {
		return nil, fmt.Errorf("decompresses to more than %d times its size", maxRatio)
	}
	return b.codec.decompress(b.method, raw[8:], int(n))
}

// validity returns the validity bitmap of an array, nil if it has no nulls.
func (b *arrowBuffers) validity(length, nulls int) (*memory.Buffer, error) {
	bitmap, err := b.next()
	if err != nil {
		return nil, err
	}
	if nulls == 0 && len(bitmap) == 0 || length == 0 {
		return nil, nil
	}
	if len(bitmap)*8 < length {
		return nil, fmt.Errorf("validity of %d values in %d bytes", length, len(bitmap))
	}
	if found := length - countSet(bitmap, length); found != nulls {
		return nil, fmt.Errorf("%d nulls where %d are declared", found, nulls)
	}
	if nulls == 0 {
		return nil, nil
	}
	return memory.NewBufferBytes(bitmap), nil
}

// countSet counts the ones among the first n bits.
func countSet(bitmap []byte, n int) int {
	set := 0
	for ; n >= 64; n -= 64 {
		set += bits.OnesCount64(binary.LittleEndian.Uint64(bitmap))
		bitmap = bitmap[8:]
	}
	for i := range n {
		set += int(bitmap[i/8] >> (i % 8) & 1)
	}
	return set
}
