package arrow

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow/memory"
	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/pierrec/lz4/v4"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// Compression methods of Arrow buffers.
const (
	methodLZ4  = 0
	methodZstd = 1
)

// stored is the declared size of a compressed buffer that is not compressed.
const stored = -1

// inflate decompresses the buffers of a batch into a body without compression, and updates their
// positions in the metadata. The Arrow library would decompress zstd in goroutines, where nobody
// can recover a panic, with a window as large as the file asks for.
func (b *budget) inflate(batch fbTable, body []byte) (_ []byte, err error) {
	defer func() { err = fbError(recover(), err) }()
	compression, ok := batch.child(batchCompression)
	if !ok {
		return body, nil
	}
	method := compression.GetByteSlot(fbSlot(0), methodLZ4)
	at, n := batch.vector(batchBuffers, 16)
	size := 0
	for i := range n {
		raw, length := compressedBuffer(batch, at+flatbuffers.UOffsetT(16*i), body)
		if raw != nil {
			b.spend(int64(length))
			size += (8 + length + 7) &^ 7
		}
	}
	out, end := make([]byte, size), 0
	for i := range n {
		span := at + flatbuffers.UOffsetT(16*i)
		raw, length := compressedBuffer(batch, span, body)
		if raw == nil {
			continue
		}
		dst := out[end+8 : end+8+length : end+8+length]
		if int64(binary.LittleEndian.Uint64(raw)) == stored {
			copy(dst, raw[8:])
		} else if err := decompress(method, raw[8:], dst); err != nil {
			return nil, fmt.Errorf("decompression: %w", err)
		}
		binary.LittleEndian.PutUint64(out[end:], 1<<64-1) // stored
		batch.MutateInt64(span, int64(end))
		batch.MutateInt64(span+8, int64(8+length))
		end += (8 + length + 7) &^ 7
	}
	return out, nil
}

// compressedBuffer returns the buffer at the position of a span, nil if it is empty, and its
// decompressed length.
func compressedBuffer(batch fbTable, span flatbuffers.UOffsetT, body []byte) ([]byte, int) {
	offset, size := batch.GetInt64(span), batch.GetInt64(span+8)
	if size == 0 {
		return nil, 0
	}
	raw := body[offset:][:size]
	length := int64(binary.LittleEndian.Uint64(raw))
	if length == stored {
		length = size - 8
	}
	return raw, int(length)
}

// decompress expands a buffer to the length of dst.
func decompress(method byte, src, dst []byte) error {
	switch method {
	case methodZstd:
		got, err := ground.Unzstd(dst, src)
		if err == nil && len(got) != len(dst) {
			err = fmt.Errorf("a buffer expands to %d bytes instead of %d", len(got), len(dst))
		}
		return err
	case methodLZ4:
		_, err := io.ReadFull(lz4.NewReader(bytes.NewReader(src)), dst)
		return err
	}
	return fmt.Errorf("the compression method %d is unknown", method)
}

// Limits on what the decoding of one message may allocate: maxRatio times the bytes of its body
// and of the dictionaries, but at least minDecompressed.
const (
	minDecompressed = 128 << 20
	maxRatio        = 64
)

// budget is an allocator of what the decoding of one message may take. Beyond it, it panics
// with an error, which the Arrow library turns into the error of the call.
type budget struct{ left int64 }

// Allocate returns n bytes.
func (b *budget) Allocate(n int) []byte {
	b.spend(int64(n))
	return memory.DefaultAllocator.Allocate(n)
}

// Reallocate returns n bytes that begin with the old ones.
func (b *budget) Reallocate(n int, old []byte) []byte {
	b.spend(int64(n))
	return memory.DefaultAllocator.Reallocate(n, old)
}

// Free does nothing: the next message has a budget of its own.
func (*budget) Free([]byte) {}

// spend takes n bytes from the budget.
func (b *budget) spend(n int64) {
	if n < 0 || n > b.left {
		panic(fmt.Errorf("decompresses to more than %d times its size", maxRatio))
	}
	b.left -= n
}
