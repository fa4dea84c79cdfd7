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
	size   int64 // bytes of the input, -1 for a pipe
	listed int   // record batches that the footer of a file lists, -1 for a stream
	budget budget
	kept   int64 // bytes of dictionaries
	marked bool  // the end marker was read
	verifier
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

// read reads exactly n bytes. If the size of the input is unknown, it allocates as they arrive.
func (m *messages) read(n int64) ([]byte, error) {
	room := n
	if m.size < 0 {
		room = min(n, 1<<20)
	} else if n > m.size {
		return nil, unexpectedEOF(io.EOF)
	}
	var b bytes.Buffer
	b.Grow(int(room) + bytes.MinRead)
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

// newFile returns the messages of an Arrow file, between its magic and its footer. A file may have
// dictionaries after the batches that use them, a stream may not.
func newFile(f *io.SectionReader) (m *messages, err error) {
	defer ground.Recover(&err)
	footer, at, err := ground.Footer(f, string(magicFile), "an Arrow", maxMetadata)
	if err != nil {
		return nil, err
	}
	root := fbRoot(footer)
	first := func(slot int) (int64, int) { // place of the first message, and their number
		if blocks, n := root.vector(slot, blockSize); n > 0 {
			return root.GetInt64(blocks), n
		}
		return at, 0
	}
	dictionaries, _ := first(footerDictionaries)
	batches, listed := first(footerBatches)
	part := func(from, to int64) io.Reader { return io.NewSectionReader(f, from, to-from) }
	r := part(8, at)
	if end := at - 8; batches < dictionaries && dictionaries < end { // where the end marker is
		r = io.MultiReader(part(8, batches), part(dictionaries, end), part(batches, dictionaries),
			part(end, at))
	}
	// Polars 2 writes the schema without its frame: the first word is 4 or 8, the offset of its root,
	// and no number of bytes. Most readers take the schema of the footer and do not notice.
	begins := make([]byte, 4)
	if err = ground.ReadAt(f, begins, 8); binary.LittleEndian.Uint32(begins) <= 8 {
		frame := binary.LittleEndian.AppendUint32(magicStream, uint32(min(dictionaries, batches)-8))
		r = io.MultiReader(bytes.NewReader(frame), r)
	}
	return &messages{r: r, size: f.Size(), listed: listed}, err
}

// maxPadding is the number of zeros that may follow the last message.
const maxPadding = 64

// rest refuses bytes after the last message, for example another file or stream.
func (m *messages) rest() error {
	rest, err := io.ReadAll(io.LimitReader(m.r, maxPadding+1))
	if err == nil && (len(rest) > maxPadding || len(bytes.Trim(rest, "\x00")) > 0) {
		err = errRest
	}
	return err
}

// errRest reports more than one file or stream in an input.
var errRest = errors.New("other bytes follow the last record batch")

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
