package tabular

import (
	"bytes"
	"errors"
	"io"

	"github.com/pfnamp/pfnamp/tabular/internal/arrowguard"
)

// arrowFileFormat is the Arrow IPC file, also known as Feather version 2.
func arrowFileFormat() fileFormat {
	return fileFormat{format: ArrowFile, name: "arrow", also: []string{"feather", "ipc"}, ends: true,
		whole: true, keeps: true,
		files: []fileName{{".arrow", "application/vnd.apache.arrow.file", 0, false}, {".feather", "", 0, false},
			{".ipc", "", 0, false}},
		begins: func(head []byte) bool { return bytes.HasPrefix(head, magicArrow) },
		open: func(in input, name string, opt ReadOptions) (source, []string, error) {
			s, err := openArrowFile(in.file, name, opt)
			return s, nil, err
		},
		create: func(w io.Writer, to destination) (encoder, error) {
			return newArrowFileEncoder(w, to.schema, to.meta)
		}}
}

// arrowStreamFormat is the Arrow IPC stream.
func arrowStreamFormat() fileFormat {
	return fileFormat{format: ArrowStream, name: "arrows", whole: true, steady: true, keeps: true,
		files:  []fileName{{".arrows", "application/vnd.apache.arrow.stream", 0, false}},
		begins: func(head []byte) bool { return bytes.HasPrefix(head, magicStream) },
		open: func(in input, name string, opt ReadOptions) (source, []string, error) {
			s, err := openArrowStream(in.stream, name, opt)
			return s, nil, err
		},
		create: func(w io.Writer, to destination) (encoder, error) {
			return newArrowStreamEncoder(w, to.schema, to.meta)
		}}
}

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
