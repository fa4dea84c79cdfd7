package tabular

import (
	"context"
	"errors"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// An arrowSource reads the record batches of an Arrow stream or file, cut to the batch size.
type arrowSource struct {
	name    string
	sc      *arrowSchema
	message func() (arrowMessage, error) // io.EOF after the last one
	closer  io.Closer
	total   int64 // rows by the file's footer, -1 when unknown
	limit   int64 // rows of a batch
	first   int64 // rows handed out so far

	codec arrowCodec
	dicts map[int64]arrow.Array
	rec   arrow.RecordBatch // the batch being cut
	cut   int64             // rows of rec handed out so far
	err   error             // sticky
}

// newArrowSource returns a source of a decoded schema whose messages are still to come.
func newArrowSource(name string, sc *arrowSchema, opt ReadOptions) *arrowSource {
	return &arrowSource{name: name, sc: sc, total: -1, limit: int64(opt.batchRows()),
		dicts: make(map[int64]arrow.Array)}
}

// schema names the columns; the ones that cannot be represented have an UnsupportedType.
func (s *arrowSource) schema() *arrow.Schema { return s.sc.exposed }

// rows is the number of rows, -1 for a stream.
func (s *arrowSource) rows() int64 { return s.total }

// close frees the file or the stream.
func (s *arrowSource) close() error {
	if s.closer == nil {
		return nil
	}
	s.codec.close()
	err := s.closer.Close()
	s.closer = nil
	return err
}

// next returns the next rows.
func (s *arrowSource) next(ctx context.Context) (*Batch, error) {
	for s.err == nil && (s.rec == nil || s.cut == s.rec.NumRows()) {
		if err := ctx.Err(); err != nil {
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

// load reads messages up to the next record batch and turns what is wrong with them into an
// *Error.
func (s *arrowSource) load() (rec arrow.RecordBatch, err error) {
	defer recoverDamage(s.name, &err)
	for {
		msg, err := s.message()
		if errors.Is(err, io.EOF) {
			return nil, io.EOF
		}
		if err == nil {
			switch msg.kind {
			case headerDictionary:
				err = s.loadDictionary(msg)
			case headerRecordBatch:
				rec, err = s.loadBatch(msg)
			default:
				err = errors.New("a second schema")
			}
		}
		if err != nil {
			return nil, s.damage(err)
		}
		if rec != nil {
			return rec, nil
		}
	}
}

// damage wraps an error about the content in an *Error that names the file.
func (s *arrowSource) damage(err error) error {
	var e *Error
	if errors.As(err, &e) {
		e.File = s.name
		return e
	}
	return &Error{File: s.name, Row: s.first + 1, Msg: "damaged Arrow data", Err: err}
}

// loadBatch decodes a record batch.
func (s *arrowSource) loadBatch(msg arrowMessage) (arrow.RecordBatch, error) {
	l, err := newBatchLoader(msg.header, msg.body, &s.codec)
	if err != nil {
		return nil, err
	}
	l.v4 = s.sc.v4
	l.dictionary = func(id int64) arrow.Array { return s.dicts[id] }
	columns := make([]arrow.Array, s.sc.stored.NumFields())
	for i, f := range s.sc.stored.Fields() {
		columns[i], err = l.column(f.Type, s.sc.exposed.Field(i).Type, s.sc.dictionaries[i])
		if err != nil {
			return nil, &Error{Row: s.first + 1, Column: f.Name, Msg: "damaged Arrow data",
				Err: err}
		}
	}
	return array.NewRecordBatch(s.sc.exposed, columns, l.rows), nil
}
