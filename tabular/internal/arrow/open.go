package arrow

import (
	"bytes"
	"errors"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

var (
	magicFile   = []byte("ARROW1")
	magicStream = []byte{0xff, 0xff, 0xff, 0xff}
)

// BeginsFile recognises files by their first bytes.
func BeginsFile(head []byte) bool { return bytes.HasPrefix(head, magicFile) }

// BeginsStream recognises streams by their first bytes.
func BeginsStream(head []byte) bool { return bytes.HasPrefix(head, magicStream) }

// OpenStream opens an Arrow IPC stream.
func OpenStream(in ground.Input, opt ground.Options) (ground.Source, error) {
	s, err := newReader(newStream(in.Stream), opt)
	if located, ok := errors.AsType[*ground.Error](err); ok {
		return nil, located
	}
	if err != nil {
		return nil, &ground.Error{Msg: "the input is not a readable Arrow stream",
			Err: ground.Brief(err), Hint: ground.AgainHint}
	}
	return s, nil
}

// OpenFile opens an Arrow IPC file: the magic, a stream, and a footer that lists the messages of
// the stream. It reads the file as a stream, after it has checked the footer against it. If the
// file holds an Arrow stream despite its name, it reads the stream.
func OpenFile(in ground.Input, opt ground.Options) (_ ground.Source, err error) {
	defer ground.Recover(&err)
	f := in.File
	var head [8]byte
	n, _ := f.ReadAt(head[:], 0)
	switch {
	case bytes.HasPrefix(head[:n], magicFile):
	case bytes.HasPrefix(head[:n], magicStream):
		return OpenStream(ground.Input{Stream: &ground.Whole{In: f, Size: f.Size()}}, opt)
	case bytes.HasPrefix(head[:n], []byte("FEA1")):
		return nil, &ground.Error{Msg: "Feather version 1 is not supported",
			Hint: "save it as Feather version 2, which is an Arrow file"}
	default:
		return nil, &ground.Error{Msg: "the file is not an Arrow file"}
	}
	messages, rows, err := newFile(f)
	var s *Reader
	if err == nil {
		s, err = newReader(messages, opt)
	}
	if err != nil {
		return nil, &ground.Error{Msg: "the file is not a readable Arrow file",
			Err: ground.Brief(err), Hint: ground.AgainHint}
	}
	s.total = rows
	return s, nil
}

// exposedSchema gives columns of unsupported types a type without values.
func exposedSchema(stored *arrow.Schema, opt ground.Options) *arrow.Schema {
	fields := stored.Fields()
	for i, f := range fields {
		if !ground.FlatType(f.Type) {
			fields[i].Type = ground.NewUnsupported(f.Type.String())
		}
	}
	opt.Skipped(fields)
	meta := stored.Metadata()
	return arrow.NewSchema(fields, &meta)
}

// ReadSchema returns the schema of an Arrow stream.
func ReadSchema(stream []byte) (*arrow.Schema, error) {
	r, err := newStream(bytes.NewReader(stream)).open()
	if err != nil {
		return nil, err
	}
	return r.Schema(), nil
}
