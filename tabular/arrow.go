package tabular

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
)

// An arrowSource reads the record batches of an Arrow file or stream, or of several streams in one
// input, cut to the batch size.
type arrowSource struct {
	name     string
	messages *arrowguard.Messages
	reader   *ipc.Reader
	exposed  *arrow.Schema
	skip     func(string) bool
	total    int64 // rows of a file, -1 when unknown
	limit    int64 // rows of a batch
	marker   bool  // a stream must end with its end marker
	first    int64 // rows handed out so far
	note     string

	arrays arrowguard.Arrays

	rec arrow.RecordBatch // the batch being cut
	cut int64             // rows of rec handed out so far
	got int               // record batches read so far
	err error             // sticky
}

// newArrowSource reads the schema of a stream of messages.
func newArrowSource(m *arrowguard.Messages, opt ReadOptions) (*arrowSource, error) {
	reader, err := m.Open()
	if err != nil {
		return nil, err
	}
	return &arrowSource{messages: m, reader: reader, exposed: exposedSchema(reader.Schema(), opt.Skip),
		skip: opt.Skip, total: -1, limit: int64(opt.batchRows()), marker: opt.RequireEOS}, nil
}

// schema names the columns; the ones that cannot be represented have an UnsupportedType.
func (s *arrowSource) schema() *arrow.Schema { return s.exposed }

// rows is the number of rows, -1 for a stream.
func (s *arrowSource) rows() int64 { return s.total }

// end is what the end of the input was like, "" if there is nothing to say.
func (s *arrowSource) end() string { return s.note }

// close does nothing: the batches hold all the memory there is.
func (s *arrowSource) close() {}

// next returns the next rows.
func (s *arrowSource) next(ctx context.Context) (*Batch, error) {
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
	batch := &Batch{File: s.name, Record: s.rec.NewSlice(s.cut, end), First: s.first}
	s.first += end - s.cut
	s.cut = end
	return batch, nil
}

// load decodes and checks the next record batch, nil where another stream begins.
func (s *arrowSource) load() (_ arrow.RecordBatch, err error) {
	defer recoverDamage(s.name, &err)
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
		if t, ok := f.Type.(*UnsupportedType); ok {
			columns[i] = newUnsupportedArray(t, int(rec.NumRows()))
		} else if err := s.arrays.Check(columns[i], i); err != nil {
			return nil, s.damage(f.Name, err)
		}
	}
	return array.NewRecordBatch(s.exposed, columns, rec.NumRows()), nil
}

// damage is an *Error about the content of the next record batch.
func (s *arrowSource) damage(column string, err error) error {
	if located, ok := errors.AsType[*Error](err); ok { // of the input, not of what is in it
		return located
	}
	batch := s.got
	if column == "" { // which has not been read
		batch++
	}
	return &Error{File: s.name, Row: s.first + 1, Column: column, Err: brief(err),
		Msg: fmt.Sprintf("damaged Arrow data in record batch %d", batch)}
}
