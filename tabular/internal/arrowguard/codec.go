package arrowguard

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"sync"

	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
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

// zstdDecoder is a decompressor that stops at the capacity of its destination.
var zstdDecoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecodeAllCapLimit(true))
})

// decompress expands a buffer to the length of dst.
func decompress(method byte, src, dst []byte) error {
	switch method {
	case methodZstd:
		decoder, err := zstdDecoder()
		if err != nil {
			return err
		}
		got, err := decoder.DecodeAll(src, dst[:0:len(dst)])
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
