package arrow

import (
	"bufio"
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

// OpenStream opens an Arrow IPC stream.
func OpenStream(in ground.Input, opt ground.Options) (ground.Source, error) {
	m := &messages{r: in.Stream, size: -1, listed: -1}
	if in.File != nil {
		m.size = in.File.Size()
	}
	return newReader(m, opt, "the input is not a readable Arrow stream")
}

// OpenFile opens an Arrow IPC file: the magic, a stream, and a footer that lists the messages of
// the stream. It reads the file as a stream, which must have as many record batches as the footer
// lists. If the file holds an Arrow stream despite its name, it reads the stream.
func OpenFile(in ground.Input, opt ground.Options) (ground.Source, error) {
	f := in.File
	var head [8]byte
	n, _ := f.ReadAt(head[:], 0)
	switch {
	case bytes.HasPrefix(head[:n], magicFile):
	case bytes.HasPrefix(head[:n], magicStream):
		in.Stream = bufio.NewReader(&ground.Whole{In: f, Size: f.Size()})
		return OpenStream(in, opt)
	case bytes.HasPrefix(head[:n], []byte("FEA1")):
		return nil, &ground.Error{Msg: "Feather version 1 is not supported",
			Hint: "save it as Feather version 2, which is an Arrow file"}
	default:
		return nil, &ground.Error{Msg: "the file is not an Arrow file"}
	}
	const msg = "the file is not a readable Arrow file"
	messages, err := newFile(f)
	if err != nil {
		return nil, ground.Blame(msg, ground.AgainHint, err)
	}
	return newReader(messages, opt, msg)
}

// A Reader reads the record batches of an Arrow file or stream, cut to the batch size.
type Reader struct {
	ground.Defaults
	messages *messages
	reader   *ipc.Reader
	exposed  *arrow.Schema
	limit    int64 // rows of a batch
	first    int64 // rows handed out so far
	marked   bool  // a stream must have its end marker
	note     string

	dictionaries map[int]arrow.ArrayData // the last one of each column, checked

	rec arrow.RecordBatch // the batch being cut
	cut int64             // rows of rec handed out so far
	got int               // record batches read so far
	err error             // sticky
}

// newReader reads the schema of the messages of a file or a stream.
func newReader(m *messages, opt ground.Options, msg string) (_ ground.Source, err error) {
	defer ground.Recover(&err)
	reader, err := ipc.NewReaderFromMessageReader(m, ipc.WithAllocator(&m.budget))
	if err != nil {
		return nil, ground.Blame(msg, ground.AgainHint, err)
	}
	fields, meta := reader.Schema().Fields(), reader.Schema().Metadata()
	for i, f := range fields {
		if !ground.FlatType(f.Type) {
			fields[i].Type = ground.NewUnsupported(f.Type.String())
		}
	}
	opt.Skipped(fields)
	return &Reader{messages: m, reader: reader, marked: opt.RequireEOS,
		dictionaries: map[int]arrow.ArrayData{}, exposed: arrow.NewSchema(fields, &meta),
		limit: int64(opt.BatchRows)}, nil
}

// Schema names the columns.
func (s *Reader) Schema() *arrow.Schema { return s.exposed }

// Note returns a note on the end of the input, "" if there is none.
func (s *Reader) Note() string { return s.note }

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

// load decodes and checks the next record batch.
func (s *Reader) load() (_ arrow.RecordBatch, err error) {
	defer ground.Recover(&err)
	rec, err := s.reader.Read()
	if errors.Is(err, io.EOF) {
		return nil, s.ended()
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

// ended returns io.EOF if, as far as can be told, all rows have arrived. The format allows a stream
// without its end marker: its producer may leave it out, or may have stopped between two batches.
func (s *Reader) ended() error {
	if s.messages.listed < 0 && !s.messages.marked {
		ends := "the Arrow stream ends without its end marker, after " +
			ground.Count(int(s.first), "row")
		if s.marked {
			e := &ground.Error{Msg: ends}
			return e.Advise("check whether the producer stopped early; if it never writes a marker, "+
				"drop %s", ground.OptionRequireEOS)
		}
		s.note = ends + ": if the producer stopped early, rows are missing"
		return io.EOF
	}
	err := s.messages.rest()
	if err == nil && s.messages.listed >= 0 && s.got != s.messages.listed {
		err = fmt.Errorf("the file has %d record batches, but its footer lists %d", s.got,
			s.messages.listed)
	}
	switch {
	case err == nil:
		return io.EOF
	case err == errRest:
		return &ground.Error{Row: s.first + 1,
			Msg: "the input holds more than one Arrow table", Hint: "read one file or stream at a time"}
	}
	return s.damage("", err)
}
