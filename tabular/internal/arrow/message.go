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
