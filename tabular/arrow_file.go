package tabular

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// arrowMagic is at both ends of an Arrow file.
const arrowMagic = "ARROW1"

// openArrowFile opens an Arrow IPC file: the magic, a stream, and a footer that lists the
// messages of the stream. It is read as a stream, once the footer is found to agree with it. A
// file that holds an Arrow stream in spite of its name is read as one.
func openArrowFile(f *io.SectionReader, name string, opt ReadOptions) (_ source, err error) {
	defer recoverDamage(name, &err)
	var head [8]byte
	n, _ := f.ReadAt(head[:], 0)
	switch {
	case bytes.HasPrefix(head[:n], []byte(arrowMagic)):
	case bytes.HasPrefix(head[:n], []byte{0xff, 0xff, 0xff, 0xff}):
		return openArrowStream(f, name, opt)
	case bytes.HasPrefix(head[:n], []byte("FEA1")):
		return nil, &Error{File: name, Msg: "Feather version 1 is not supported",
			Hint: "write it again as Feather version 2, which is an Arrow file"}
	default:
		return nil, &Error{File: name, Msg: "not an Arrow file"}
	}
	s, err := openArrowMessages(f, opt)
	if err != nil {
		return nil, &Error{File: name, Msg: "not a readable Arrow file", Err: brief(err)}
	}
	s.name = name
	return s, nil
}

// openArrowMessages opens the stream in a file.
func openArrowMessages(f *io.SectionReader, opt ReadOptions) (*arrowSource, error) {
	listed, end, err := readArrowFooter(f, f.Size())
	if err != nil {
		return nil, err
	}
	section := io.NewSectionReader(f, 8, end-8)
	m := &arrowMessages{r: section, file: section}
	batches, rows, err := m.count()
	if err == nil && batches != listed {
		err = fmt.Errorf("%d record batches, but %d by the footer", batches, listed)
	}
	if err != nil {
		return nil, err
	}
	s, err := newArrowSource(m, opt)
	if err == nil {
		s.total = rows
	}
	return s, err
}

// readArrowFooter returns the number of record batches by the footer of a file, and where the
// footer begins.
func readArrowFooter(f io.ReaderAt, size int64) (batches int, at int64, err error) {
	defer func() { err = fbError(recover(), err) }()
	var tail [10]byte // length of the footer, magic
	if size < int64(len(arrowMagic)+len(tail)) {
		return 0, 0, errors.New("file is too short")
	}
	if _, err := f.ReadAt(tail[:], size-10); err != nil {
		return 0, 0, err
	}
	if string(tail[4:]) != arrowMagic {
		return 0, 0, errors.New("file is cut off: it does not end as an Arrow file does")
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	if n < 8 || n > maxMetadata || n > size-18 {
		return 0, 0, fmt.Errorf("footer of %d bytes", n)
	}
	footer := make([]byte, n)
	if _, err := f.ReadAt(footer, size-10-n); err != nil {
		return 0, 0, err
	}
	_, batches = fbRoot(footer).vector(footerBatches, blockSize)
	return batches, size - 10 - n, nil
}
