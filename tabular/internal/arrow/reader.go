package arrow

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/pfnamp/pfnamp/tabular/internal/arrowguard"
	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// A Reader reads the record batches of an Arrow file or stream, or of several streams in one
// input, cut to the batch size.
type Reader struct {
	messages *arrowguard.Messages
	reader   *ipc.Reader
	exposed  *arrow.Schema
	opt      ground.Options
	total    int64 // rows of a file, -1 when unknown
	limit    int64 // rows of a batch
	first    int64 // rows handed out so far
	note     string

	arrays arrowguard.Arrays

	rec arrow.RecordBatch // the batch being cut
	cut int64             // rows of rec handed out so far
	got int               // record batches read so far
	err error             // sticky
}

// newReader reads the schema of a stream of messages.
func newReader(m *arrowguard.Messages, opt ground.Options) (*Reader, error) {
	reader, err := m.Open()
	if err != nil {
		return nil, err
	}
	return &Reader{messages: m, reader: reader, opt: opt,
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
func (s *Reader) Next(ctx context.Context) (ground.Batch, error) {
	for s.err == nil && (s.rec == nil || s.cut == s.rec.NumRows()) {
		if err := context.Cause(ctx); err != nil {
			return ground.Batch{}, err
		}
		s.rec, s.err = s.load()
		s.cut = 0
	}
	if s.err != nil {
		return ground.Batch{}, s.err
	}
	end := min(s.cut+s.limit, s.rec.NumRows())
	batch := ground.Batch{Record: s.rec.NewSlice(s.cut, end), First: s.first}
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
		} else if err := s.arrays.Check(columns[i], i); err != nil {
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
