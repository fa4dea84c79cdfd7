package tabular

import (
	"bytes"
	"errors"

	"github.com/pfnamp/pfnamp/tabular/internal/arrowguard"
)

// arrowFileFormat is the Arrow IPC file, also known as Feather version 2.
func arrowFileFormat() fileFormat {
	return fileFormat{format: ArrowFile, name: "arrow", also: []string{"feather", "ipc"}, ends: true,
		whole: true, keeps: true,
		files: []fileName{{extension: ".arrow", media: "application/vnd.apache.arrow.file"},
			{extension: ".feather"}, {extension: ".ipc"}},
		begins: func(head []byte) bool { return bytes.HasPrefix(head, magicArrow) },
		open:   openArrowFile, create: newArrowFileEncoder}
}

// arrowStreamFormat is the Arrow IPC stream.
func arrowStreamFormat() fileFormat {
	return fileFormat{format: ArrowStream, name: "arrows", whole: true, steady: true, keeps: true,
		files:  []fileName{{extension: ".arrows", media: "application/vnd.apache.arrow.stream"}},
		begins: func(head []byte) bool { return bytes.HasPrefix(head, magicStream) },
		open:   openArrowStream, create: newArrowStreamEncoder}
}

// openArrowStream opens an Arrow IPC stream.
func openArrowStream(in input, name string, opt ReadOptions) (source, error) {
	s, err := newArrowSource(arrowguard.NewStream(in.stream), opt)
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
func openArrowFile(in input, name string, opt ReadOptions) (_ source, err error) {
	defer recoverDamage(name, &err)
	f := in.file
	var head [8]byte
	n, _ := f.ReadAt(head[:], 0)
	switch {
	case bytes.HasPrefix(head[:n], magicArrow):
	case bytes.HasPrefix(head[:n], magicStream):
		return openArrowStream(input{stream: &wholeReader{in: f, size: f.Size()}}, name, opt)
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
