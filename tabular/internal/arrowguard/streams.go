package arrowguard

import (
	"bytes"
	"encoding/binary"
	"io"
)

// Marked reports, after Message has returned io.EOF, whether the stream ended with its end marker.
// The format makes the marker optional.
func (m *Messages) Marked() bool { return m.marked }

// Next returns the messages of the stream that follows in the same input, after Message has
// returned io.EOF. It skips further end markers and zeros, and returns io.EOF at the end of the
// input. Bytes that are not a stream are an error of its first message.
func (m *Messages) Next() (*Messages, error) {
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
		return NewStream(io.MultiReader(bytes.NewReader(begin), m.r)), nil
	}
}
