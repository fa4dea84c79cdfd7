package tabular

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Limits on an Arrow message.
const (
	maxMetadata = 64 << 20 // bytes of metadata
	maxBody     = 4 << 30  // bytes of body
)

// continuation precedes the length of a message's metadata.
const continuation = 0xffffffff

// An arrowMessage is a message of an Arrow stream: its kind, the table of its header, and the
// bytes that the header describes.
type arrowMessage struct {
	kind   int64
	header fbTable
	body   []byte
}

// readMetadata reads the framed metadata of the next message; io.EOF at the end of the stream.
// Framing: a continuation marker (absent before Arrow 0.15) and the length of the metadata.
func readMetadata(r io.Reader) ([]byte, error) {
	var word [4]byte
	if _, err := io.ReadFull(r, word[:]); err != nil {
		return nil, err // io.EOF: a stream may end without its end marker
	}
	size := binary.LittleEndian.Uint32(word[:])
	if size == continuation {
		if _, err := io.ReadFull(r, word[:]); err != nil {
			return nil, unexpectedEOF(err)
		}
		size = binary.LittleEndian.Uint32(word[:])
	}
	if size == 0 {
		return nil, io.EOF
	}
	if size < 8 || size > maxMetadata {
		return nil, fmt.Errorf("message with %d bytes of metadata", size)
	}
	return readBytes(r, int64(size))
}

// readBytes reads exactly n bytes, and allocates only as bytes arrive.
func readBytes(r io.Reader, n int64) ([]byte, error) {
	const step = 1 << 20
	if n <= step {
		b := make([]byte, n)
		_, err := io.ReadFull(r, b)
		return b, unexpectedEOF(err)
	}
	var b bytes.Buffer
	b.Grow(step)
	if _, err := io.CopyN(&b, r, n); err != nil {
		return nil, unexpectedEOF(err)
	}
	return b.Bytes(), nil
}

// unexpectedEOF turns an end of file in the middle of something into an error of its own.
func unexpectedEOF(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("file ends in the middle of a message")
	}
	return err
}

// parseMessage decodes a message's metadata and returns the message without its body, and the
// length that the body must have.
func parseMessage(meta []byte) (arrowMessage, int64, error) {
	root, err := fbRoot(meta)
	if err != nil {
		return arrowMessage{}, 0, err
	}
	kind, err1 := root.scalar(msgType, 1, 0)
	size, err2 := root.scalar(msgBody, 8, 0)
	header, ok, err3 := root.table(msgHeader)
	if err := cmp.Or(err1, err2, err3); err != nil {
		return arrowMessage{}, 0, err
	}
	if !ok || kind < headerSchema || kind > headerRecordBatch {
		return arrowMessage{}, 0, fmt.Errorf("message of unknown kind %d", kind)
	}
	if size < 0 || size > maxBody {
		return arrowMessage{}, 0, fmt.Errorf("message with a body of %d bytes", size)
	}
	return arrowMessage{kind: kind, header: header}, size, nil
}

// readMessage reads the next message of a stream; io.EOF at its end.
func readMessage(r io.Reader) (arrowMessage, error) {
	meta, err := readMetadata(r)
	if err != nil {
		return arrowMessage{}, err
	}
	msg, size, err := parseMessage(meta)
	if err != nil {
		return arrowMessage{}, err
	}
	msg.body, err = readBytes(r, size)
	return msg, err
}
