package tabular

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
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

// openArrowStream opens an Arrow IPC stream. It closes r when the source is closed, and at once
// where it returns an error.
func openArrowStream(r io.ReadCloser, name string, opt ReadOptions) (source, error) {
	meta, err := readMetadata(r)
	var sc *arrowSchema
	if err == nil {
		sc, err = parseArrowSchema(meta)
	} else if errors.Is(err, io.EOF) {
		err = errors.New("no schema")
	}
	if err != nil {
		r.Close()
		return nil, &Error{File: name, Msg: "not a readable Arrow stream", Err: err}
	}
	s := newArrowSource(name, sc, opt)
	s.closer = r
	s.message = func() (arrowMessage, error) { return readMessage(r) }
	return s, nil
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

// loadDictionary decodes a dictionary, or values to add to one. Dictionaries that no represented
// column uses are passed over.
func (s *arrowSource) loadDictionary(msg arrowMessage) error {
	id, err1 := msg.header.scalar(dictID, 8, 0)
	delta, err2 := msg.header.scalar(dictDelta, 1, 0)
	data, ok, err3 := msg.header.table(dictData)
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	t := s.dictionaryType(id)
	if t == nil {
		return nil
	}
	if !ok {
		return fmt.Errorf("dictionary %d without values", id)
	}
	l, err := newBatchLoader(data, msg.body, &s.codec)
	if err != nil {
		return err
	}
	values, err := l.column(t.ValueType, t.ValueType, -1)
	if err != nil {
		return fmt.Errorf("dictionary %d: %w", id, err)
	}
	if old := s.dicts[id]; delta != 0 && old != nil {
		if values, err = array.Concatenate([]arrow.Array{old, values}, memory.DefaultAllocator); err != nil {
			return fmt.Errorf("dictionary %d: %w", id, err)
		}
	}
	s.dicts[id] = values
	return nil
}

// dictionaryType is the type of the first represented column that uses a dictionary, or nil.
func (s *arrowSource) dictionaryType(id int64) *arrow.DictionaryType {
	for i, f := range s.sc.exposed.Fields() {
		t, ok := f.Type.(*arrow.DictionaryType)
		if ok && s.sc.dictionaries[i] == id {
			return t
		}
	}
	return nil
}

// openRegular opens a file that must be seekable.
func openRegular(path string) (*os.File, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, &Error{File: path, Msg: "cannot be opened", Err: pathCause(err)}
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &Error{File: path, Msg: "not a regular file",
			Hint: "this format is read from both ends; write it to a file first"}
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// pathCause is the cause in an *os.PathError, whose path the caller already names.
func pathCause(err error) error {
	var e *os.PathError
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}
