package arrow

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// magic is at both ends of an Arrow file.
const magic = "ARROW1"

// newFile reads the messages of an Arrow file and checks them against the footer. It returns the
// number of rows that they declare.
func newFile(f *io.SectionReader) (m *messages, rows int64, err error) {
	listed, end, err := readFooter(f, f.Size())
	if err != nil {
		return nil, 0, err
	}
	section := io.NewSectionReader(f, 8, end-8)
	m = &messages{r: section, file: section}
	batches, rows, err := m.count()
	if err == nil && batches != listed {
		err = fmt.Errorf("the file has %d record batches, but its footer lists %d", batches, listed)
	}
	return m, rows, err
}

// count reads the metadata of all messages of a file and returns the numbers of record batches and
// rows. Only zeros may follow the end marker.
func (m *messages) count() (batches int, rows int64, err error) {
	for {
		_, h, err := m.header()
		if errors.Is(err, io.EOF) {
			if err := m.rest(); err != nil {
				return 0, 0, err
			}
			_, err = m.file.Seek(0, io.SeekStart)
			return batches, rows, err
		}
		if err == nil && h.body > m.left() {
			err = unexpectedEOF(io.EOF)
		}
		if err == nil {
			_, err = m.file.Seek(h.body, io.SeekCurrent)
		}
		if err != nil {
			return 0, 0, err
		}
		if h.kind == headerRecordBatch {
			batches++
		}
		rows += h.rows
	}
}

// maxPadding is the number of zeros that may stand before the footer.
const maxPadding = 64

// rest refuses bytes between the last message and the footer, for example another file.
func (m *messages) rest() error {
	left := m.left()
	padding := make([]byte, min(left, maxPadding))
	_, err := io.ReadFull(m.file, padding)
	if err == nil && (left > maxPadding || len(bytes.Trim(padding, "\x00")) > 0) {
		err = fmt.Errorf("there are %d unknown bytes between the last record batch and the "+
			"footer", left)
	}
	return err
}

// readFooter returns the number of record batches in the footer of a file, and where the footer
// begins.
func readFooter(f io.ReaderAt, size int64) (batches int, at int64, err error) {
	defer func() { err = fbError(recover(), err) }()
	var tail [10]byte // length of the footer, magic
	if size < int64(len(magic)+len(tail)) {
		return 0, 0, errors.New("the file is too short")
	}
	if err := readAt(f, tail[:], size-10); err != nil {
		return 0, 0, err
	}
	if string(tail[4:]) != magic {
		return 0, 0, errors.New("the file is cut off: it does not end like an Arrow file")
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	if n < 8 || n > maxMetadata || n > size-18 {
		return 0, 0, fmt.Errorf("the footer has %d bytes", n)
	}
	footer := make([]byte, n)
	if err := readAt(f, footer, size-10-n); err != nil {
		return 0, 0, err
	}
	_, batches = fbRoot(footer).vector(footerBatches, blockSize)
	return batches, size - 10 - n, nil
}

// readAt fills a buffer from a position in a file.
func readAt(f io.ReaderAt, b []byte, at int64) error {
	_, err := io.ReadFull(io.NewSectionReader(f, at, int64(len(b))), b)
	return unexpectedEOF(err)
}
