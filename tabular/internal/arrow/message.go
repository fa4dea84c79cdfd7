package arrow

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/pierrec/lz4/v4"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// Limits on an Arrow message.
const (
	maxMetadata = 64 << 20 // bytes of metadata
	maxBody     = 4 << 30  // bytes of body
)

// continuation precedes the length of a message's metadata.
const continuation = 0xffffffff

// messages is an [ipc.MessageReader]. It checks what a message declares before the Arrow library
// decodes it, and allocates memory only for bytes that arrive.
type messages struct {
	r      io.Reader
	file   *io.SectionReader // r if it is of a file, nil otherwise
	budget budget
	kept   int64 // bytes of dictionaries
	marked bool  // the end marker was read
	verifier
}

// newStream reads the messages of an Arrow stream.
func newStream(r io.Reader) *messages { return &messages{r: r} }

// open lets the Arrow library read the schema.
func (m *messages) open() (*ipc.Reader, error) {
	return ipc.NewReaderFromMessageReader(m, ipc.WithAllocator(&m.budget))
}

// Message reads the next message; io.EOF at the end of the stream.
func (m *messages) Message() (*ipc.Message, error) {
	meta, h, err := m.header()
	if err != nil {
		return nil, err
	}
	body, err := m.read(h.body)
	if err != nil {
		return nil, err
	}
	if h.kind == headerDictionary {
		m.kept += h.body
	}
	m.budget.left = max(minDecompressed, maxRatio*(h.body+m.kept))
	if h.kind != headerSchema {
		if body, err = m.budget.inflate(h.batch, body); err != nil {
			return nil, err
		}
		if _, err = m.verify(meta); err != nil { // places of buffers have changed
			return nil, err
		}
	}
	return ipc.NewMessage(memory.NewBufferBytes(meta), memory.NewBufferBytes(body)), nil
}

// Retain does nothing.
func (*messages) Retain() {}

// Release does nothing.
func (*messages) Release() {}

// header reads and checks the metadata of the next message; io.EOF at the end of the stream.
// Framing: a continuation marker (absent before Arrow 0.15) and the length of the metadata.
func (m *messages) header() (meta []byte, h messageHeader, err error) {
	var word [4]byte
	if _, err := io.ReadFull(m.r, word[:]); err != nil {
		return nil, h, err // io.EOF: a stream may end without its end marker
	}
	size := binary.LittleEndian.Uint32(word[:])
	if size == continuation {
		if _, err := io.ReadFull(m.r, word[:]); err != nil {
			return nil, h, unexpectedEOF(err)
		}
		size = binary.LittleEndian.Uint32(word[:])
	}
	if size == 0 {
		m.marked = true
		return nil, h, io.EOF
	}
	if size < 8 || size > maxMetadata {
		return nil, h, fmt.Errorf("a message has %d bytes of metadata", size)
	}
	if meta, err = m.read(int64(size)); err != nil {
		return nil, h, err
	}
	h, err = m.verify(meta)
	return meta, h, err
}

// left returns the number of bytes left in a file.
func (m *messages) left() int64 {
	at, _ := m.file.Seek(0, io.SeekCurrent)
	return m.file.Size() - at
}

// read reads exactly n bytes. If the size of the input is unknown, it allocates as they arrive.
func (m *messages) read(n int64) ([]byte, error) {
	const step = 1 << 20
	if m.file != nil && n > m.left() {
		return nil, unexpectedEOF(io.EOF)
	}
	if m.file != nil || n <= step {
		b := make([]byte, n)
		_, err := io.ReadFull(m.r, b)
		return b, unexpectedEOF(err)
	}
	var b bytes.Buffer
	b.Grow(step)
	if _, err := io.CopyN(&b, m.r, n); err != nil {
		return nil, unexpectedEOF(err)
	}
	return slices.Clip(b.Bytes()), nil
}

// unexpectedEOF replaces an end of file in the middle of a message by an error of its own.
func unexpectedEOF(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the file ends in the middle of a message")
	}
	return err
}

// next returns the messages of the stream that follows in the same input, after Message has
// returned io.EOF. It skips further end markers and zeros, and returns io.EOF at the end of the
// input. Bytes that are not a stream are an error of its first message.
func (m *messages) next() (*messages, error) {
	for {
		var word [4]byte
		n, err := io.ReadFull(m.r, word[:])
		if err == io.EOF {
			return nil, io.EOF
		}
		if err != nil {
			return nil, unexpectedEOF(err)
		}
		size := binary.LittleEndian.Uint32(word[:])
		if size == 0 {
			continue
		}
		begin := word[:n]
		if size == continuation {
			var length [4]byte
			if _, err := io.ReadFull(m.r, length[:]); err != nil {
				return nil, unexpectedEOF(err)
			}
			if binary.LittleEndian.Uint32(length[:]) == 0 {
				continue
			}
			begin = append(begin, length[:]...)
		}
		return newStream(io.MultiReader(bytes.NewReader(begin), m.r)), nil
	}
}

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
