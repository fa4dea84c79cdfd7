package arrow

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"

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

// A Reader reads the record batches of an Arrow file or stream, or of several streams in one
// input, cut to the batch size.
type Reader struct {
	messages *messages
	reader   *ipc.Reader
	exposed  *arrow.Schema
	opt      ground.Options
	total    int64 // rows of a file, -1 when unknown
	limit    int64 // rows of a batch
	first    int64 // rows handed out so far
	note     string

	dictionaries map[int]arrow.ArrayData // the last one of each column, checked

	rec arrow.RecordBatch // the batch being cut
	cut int64             // rows of rec handed out so far
	got int               // record batches read so far
	err error             // sticky
}

// newReader reads the schema of a stream of messages.
func newReader(m *messages, opt ground.Options) (*Reader, error) {
	reader, err := m.open()
	if err != nil {
		return nil, err
	}
	return &Reader{messages: m, reader: reader, opt: opt, dictionaries: map[int]arrow.ArrayData{},
		exposed: exposedSchema(reader.Schema(), opt), total: -1, limit: int64(opt.BatchRows)}, nil
}

// Schema names the columns.
func (s *Reader) Schema() *arrow.Schema { return s.exposed }

// Rows returns the number of rows, -1 for a stream.
func (s *Reader) Rows() int64 { return s.total }

// Note returns a note on the end of the input, "" if there is none.
func (s *Reader) Note() string { return s.note }

// Close does nothing: only the batches hold memory.
func (s *Reader) Close() {}

// Next returns the next rows.
func (s *Reader) Next(ctx context.Context) (*ground.Batch, error) {
	for s.err == nil && (s.rec == nil || s.cut == s.rec.NumRows()) {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		s.rec, s.err = s.load()
		s.cut = 0
	}
	if s.err != nil {
		return nil, s.err
	}
	end := min(s.cut+s.limit, s.rec.NumRows())
	batch := &ground.Batch{Record: s.rec.NewSlice(s.cut, end), First: s.first}
	s.first += end - s.cut
	s.cut = end
	return batch, nil
}

// load decodes and checks the next record batch; it returns nil where another stream begins.
func (s *Reader) load() (_ arrow.RecordBatch, err error) {
	defer ground.Recover(&err)
	rec, err := s.reader.Read()
	if errors.Is(err, io.EOF) {
		return nil, s.follow()
	}
	if err != nil {
		return nil, s.damage("", err)
	}
	s.got++
	columns := slices.Clone(rec.Columns())
	for i, f := range s.exposed.Fields() {
		if !arrow.TypeEqual(f.Type, columns[i].DataType()) {
			columns[i] = ground.Absent(f.Type, int(rec.NumRows()))
		} else if err := s.checkArray(columns[i], i); err != nil {
			return nil, s.damage(f.Name, err)
		}
	}
	return array.NewRecordBatch(s.exposed, columns, rec.NumRows()), nil
}

// damage returns a *ground.Error about the content of the next record batch.
func (s *Reader) damage(column string, err error) error {
	if located, ok := errors.AsType[*ground.Error](err); ok { // about the input, not about its content
		return located
	}
	batch := s.got
	if column == "" { // the column was not read
		batch++
	}
	return &ground.Error{Row: s.first + 1, Column: column, Err: ground.Brief(err),
		Msg: fmt.Sprintf("the Arrow data in record batch %d is damaged", batch)}
}

// checkArray checks the array of a column: that its buffers are as long as its values need, and
// that offsets, views and indices are in range. A dictionary is checked once.
func (s *Reader) checkArray(a arrow.Array, column int) error {
	switch a := a.(type) {
	case *array.Null: // loaded without the buffers that the library then finds missing
		return nil
	case array.ExtensionArray:
		return s.checkArray(a.Storage(), column)
	case *array.Dictionary:
		values := a.Data().Dictionary()
		t := &arrow.DictionaryType{IndexType: a.Indices().DataType(), ValueType: arrow.Null}
		indices := array.NewDictionaryArray(t, a.Indices(), array.NewNull(values.Len()))
		err := array.ValidateFull(indices)
		if err != nil || s.dictionaries[column] == values {
			return err
		}
		s.dictionaries[column] = values
		return s.checkArray(a.Dictionary(), column)
	}
	return array.ValidateFull(a)
}

// follow continues with the stream after the one that has ended. It returns io.EOF if there is none
// and, as far as it can tell, all rows have arrived.
func (s *Reader) follow() error {
	if s.total >= 0 {
		if s.first != s.total {
			return &ground.Error{Msg: fmt.Sprintf(
				"the file became shorter while pfnamp read it: %d of %s", s.first,
				ground.Count(int(s.total), "row")), Hint: ground.ShorterHint}
		}
		return io.EOF
	}
	if !s.messages.marked {
		return s.unmarked()
	}
	next, err := s.messages.next()
	if err == io.EOF {
		return io.EOF
	}
	if err != nil {
		return s.behind(err)
	}
	reader, err := next.open()
	if err != nil {
		return s.behind(err)
	}
	if at := differs(s.exposed, exposedSchema(reader.Schema(), s.opt)); at != "" {
		return &ground.Error{Row: s.first + 1, Msg: "a second Arrow stream follows, with " +
			"other columns: " + at, Hint: "send this stream by itself: streams that follow each " +
			"other must have columns of the same names and types"}
	}
	s.messages, s.reader = next, reader
	return nil
}

// unmarked handles the end of a stream without its end marker, which the format allows. The
// producer may have left the marker out, or may have stopped between two batches.
func (s *Reader) unmarked() error {
	ends := "the Arrow stream ends without its end marker, after " + ground.Count(int(s.first), "row")
	if s.opt.RequireEOS {
		e := &ground.Error{Msg: ends}
		return e.Advise("check whether the producer stopped early; if it never writes a marker, drop %s",
			ground.OptionRequireEOS)
	}
	s.note = ends + ": if the producer stopped early, rows are missing"
	return io.EOF
}

// behind returns an error about bytes after a stream that are not another stream.
func (s *Reader) behind(err error) error {
	if located, ok := errors.AsType[*ground.Error](err); ok {
		return located
	}
	return &ground.Error{Row: s.first + 1, Err: ground.Brief(err),
		Msg:  "the bytes after the end of the Arrow stream are not another stream",
		Hint: "remove them: only Arrow streams may follow each other in one input"}
}

// differs names the first column in which two schemas differ, "" if names and types are the same.
func differs(a, b *arrow.Schema) string {
	if a.NumFields() != b.NumFields() {
		return fmt.Sprintf("%d instead of %d", b.NumFields(), a.NumFields())
	}
	for i, f := range a.Fields() {
		if g := b.Field(i); f.Name != g.Name || !arrow.TypeEqual(f.Type, g.Type) {
			return fmt.Sprintf("%q of type %s instead of %q of type %s", g.Name, g.Type, f.Name, f.Type)
		}
	}
	return ""
}
