package arrowguard

import (
	"bytes"
	"encoding/binary"
	"io"
)

// Marked tells, when Message has returned io.EOF, whether the stream ended with its end marker. The
// format lets a producer close the stream without one.
func (m *Messages) Marked() bool { return m.marked }

// Next returns the messages of the stream that follows this one in the same input, when Message has
// returned io.EOF, and io.EOF where nothing follows. Further end markers, and zeros, are nothing.
// What else follows is found out when its first message is read.
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
