package tabular

import (
	"bytes"
	"errors"
	"io"

	"github.com/pfnamp/pfnamp/tabular/internal/arrowguard"
)

// openArrowStream opens an Arrow IPC stream.
func openArrowStream(r io.Reader, name string, opt ReadOptions) (source, error) {
	s, err := newArrowSource(arrowguard.NewStream(r), opt)
	if located, ok := errors.AsType[*Error](err); ok {
		return nil, located
	}
	if err != nil {
		return nil, &Error{File: name, Msg: "not a readable Arrow stream", Err: brief(err)}
	}
	s.name = name
	return s, nil
}

// openArrowFile opens an Arrow IPC file: the magic, a stream, and a footer that lists the
// messages of the stream. It is read as a stream, once the footer is found to agree with it. A
// file that holds an Arrow stream in spite of its name is read as one.
func openArrowFile(f *io.SectionReader, name string, opt ReadOptions) (_ source, err error) {
	defer recoverDamage(name, &err)
	var head [8]byte
	n, _ := f.ReadAt(head[:], 0)
	switch {
	case bytes.HasPrefix(head[:n], magicArrow):
	case bytes.HasPrefix(head[:n], magicStream):
		return openArrowStream(&wholeReader{in: f, size: f.Size()}, name, opt)
	case bytes.HasPrefix(head[:n], []byte("FEA1")):
		return nil, &Error{File: name, Msg: "Feather version 1 is not supported",
			Hint: "write it again as Feather version 2, which is an Arrow file"}
	default:
		return nil, &Error{File: name, Msg: "not an Arrow file"}
	}
	messages, rows, err := arrowguard.NewFile(f)
	var s *arrowSource
	if err == nil {
		s, err = newArrowSource(messages, opt)
	}
	if err != nil {
		return nil, &Error{File: name, Msg: "not a readable Arrow file", Err: brief(err)}
	}
	s.name, s.total = name, rows
	return s, nil
}
