package tabular

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// Limits on what the buffers of one message may hold after decompression: maxRatio times the
// bytes of its body, but at least minDecompressed.
const (
	minDecompressed = 128 << 20
	maxRatio        = 64
)

// Compression methods of Arrow buffers.
const (
	methodLZ4  = 0
	methodZstd = 1
)

// An arrowCodec decompresses buffers; it holds what is worth keeping between them.
type arrowCodec struct{ zstd *zstd.Decoder }

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

// varBuffers loads and checks the offsets, of the given width, and the data of an array of
// strings or bytes.
func (b *arrowBuffers) varBuffers(length, width int) ([]*memory.Buffer, error) {
	offsets, err := b.next()
	if err != nil {
		return nil, err
	}
	data, err := b.next()
	if err != nil {
		return nil, err
	}
	if length == 0 {
		offsets = make([]byte, width)
	}
	if len(offsets) < (length+1)*width {
		return nil, fmt.Errorf("%d bytes of offsets for %d values", len(offsets), length)
	}
	last := int64(0)
	for i := range length + 1 {
		at := int64(int32(binary.LittleEndian.Uint32(offsets[i*width:])))
		if width == 8 {
			at = int64(binary.LittleEndian.Uint64(offsets[i*width:]))
		}
		if at < last || at > int64(len(data)) {
			return nil, fmt.Errorf("value %d at offset %d of %d bytes", i, at, len(data))
		}
		last = at
	}
	return []*memory.Buffer{memory.NewBufferBytes(offsets), memory.NewBufferBytes(data)}, nil
}

// viewBuffers loads and checks the views and the data of an array of string or byte views.
// A view is 16 bytes: the length, then up to 12 bytes, or a 4-byte prefix, a buffer number and
// an offset.
func (l *batchLoader) viewBuffers(length int, valid *memory.Buffer) ([]*memory.Buffer, error) {
	count, err := l.nextVariadic()
	if err != nil {
		return nil, err
	}
	views, err := l.next()
	if err != nil {
		return nil, err
	}
	if len(views) < 16*length {
		return nil, fmt.Errorf("%d bytes of views for %d values", len(views), length)
	}
	buffers := []*memory.Buffer{memory.NewBufferBytes(views)}
	for range count {
		data, err := l.next()
		if err != nil {
			return nil, err
		}
		buffers = append(buffers, memory.NewBufferBytes(data))
	}
	for i := range length {
		if valid != nil && !bitutil.BitIsSet(valid.Bytes(), i) {
			continue
		}
		view := views[16*i : 16*i+16]
		n := int64(int32(binary.LittleEndian.Uint32(view)))
		at := int(int32(binary.LittleEndian.Uint32(view[8:])))
		offset := int64(int32(binary.LittleEndian.Uint32(view[12:])))
		if n >= 0 && n <= 12 {
			continue
		}
		if n < 0 || at < 0 || at >= count || offset < 0 ||
			offset+n > int64(buffers[at+1].Len()) {
			return nil, fmt.Errorf("value %d lies outside the data", i)
		}
	}
	return buffers, nil
}

// checkIndices checks that the indices into a dictionary of n values are among them.
func checkIndices(indices arrow.Array, n int) error {
	for i := range indices.Len() {
		if indices.IsNull(i) {
			continue
		}
		at := indexAt(indices, i)
		if at < 0 || at >= int64(n) {
			return fmt.Errorf("row %d refers to value %d of a dictionary of %d", i+1, at, n)
		}
	}
	return nil
}

// indexAt returns value i of an integer array; an unsigned value beyond 2^63 is negative.
func indexAt(indices arrow.Array, i int) int64 {
	switch a := indices.(type) {
	case *array.Int8:
		return int64(a.Value(i))
	case *array.Int16:
		return int64(a.Value(i))
	case *array.Int32:
		return int64(a.Value(i))
	case *array.Int64:
		return a.Value(i)
	case *array.Uint8:
		return int64(a.Value(i))
	case *array.Uint16:
		return int64(a.Value(i))
	case *array.Uint32:
		return int64(a.Value(i))
	case *array.Uint64:
		return int64(a.Value(i))
	}
	return -1
}
