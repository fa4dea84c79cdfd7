package tabular

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// maxBatchBytes ends a batch of a text file early, so that long rows do not add up.
const maxBatchBytes = 32 << 20

// csvSource reads delimited text.
type csvSource struct {
	file    string
	lex     *lexer
	closers []func()
	fields  *arrow.Schema
	columns []textBuilder
	max     int   // rows in a batch
	first   int64 // rows delivered
	notes   []string
}

// openCSV starts to read delimited text from in, which it closes in the end, errors included.
// What it returns has read the header.
func openCSV(in io.ReadCloser, name string, opt ReadOptions) (*csvSource, error) {
	s := &csvSource{file: name, max: opt.batchRows()}
	s.closers = []func(){func() { in.Close() }}
	if err := s.open(in, opt); err != nil {
		s.close()
		return nil, s.locate(err)
	}
	return s, nil
}

// open finds out how the text is packed, encoded and delimited, and reads the header.
func (s *csvSource) open(in io.Reader, opt ReadOptions) error {
	text, done, err := unpack(bufio.NewReaderSize(in, readSize))
	if err != nil {
		return err
	}
	s.closers = append(s.closers, done)
	utf8, wide := decode(text)
	if wide {
		s.notes = append(s.notes, "decoded from UTF-16")
	}
	s.lex = newLexer(utf8, 0)
	s.lex.strict = wide
	if err := s.delimit(opt.Delimiter); err != nil {
		return err
	}
	return s.header()
}

// header reads the names of the columns.
func (s *csvSource) header() error {
	for {
		err := s.lex.next()
		if err == io.EOF {
			return &Error{
				Msg:  "the file is empty",
				Hint: "a table begins with a line that names its columns",
			}
		}
		if err != nil {
			return err
		}
		if len(s.lex.record) > 0 {
			break
		}
	}
	fields := make([]arrow.Field, len(s.lex.cells))
	numbers := 0
	for i, c := range s.lex.cells {
		name := string(s.lex.text(c))
		fields[i] = arrow.Field{Name: name, Type: arrow.BinaryTypes.String}
		if isNumber(strings.TrimSpace(name)) {
			numbers++
		}
	}
	if numbers == len(fields) {
		s.notes = append(s.notes,
			"every column name is a number: is the line that names the columns missing?")
	}
	s.fields = arrow.NewSchema(fields, nil)
	if err := checkNames(s.fields); err != nil {
		err.Line = s.lex.at
		return err
	}
	s.columns = make([]textBuilder, len(fields))
	return nil
}

func (s *csvSource) schema() *arrow.Schema { return s.fields }

func (s *csvSource) rows() int64 { return -1 }

func (s *csvSource) close() error {
	for _, done := range s.closers {
		defer done()
	}
	s.closers = nil
	return nil
}

// next reads the next rows.
func (s *csvSource) next(ctx context.Context) (*Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var lines []int64
	for size := 0; len(lines) < s.max && size < maxBatchBytes; {
		err := s.lex.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, s.locate(err)
		}
		if len(s.lex.record) == 0 && len(s.columns) > 1 {
			continue
		}
		if len(s.lex.cells) != len(s.columns) {
			return nil, s.ragged()
		}
		lines = append(lines, s.lex.at)
		size += len(s.lex.record) + 4*len(s.columns)
		for i, c := range s.lex.cells {
			s.columns[i].add(s.lex.text(c))
		}
	}
	if len(lines) == 0 {
		return nil, io.EOF
	}
	return s.batch(lines), nil
}

// batch hands over the rows that were read.
func (s *csvSource) batch(lines []int64) *Batch {
	n := int64(len(lines))
	columns := make([]arrow.Array, len(s.columns))
	for i := range s.columns {
		columns[i] = s.columns[i].finish()
	}
	b := &Batch{
		File:   s.file,
		Record: array.NewRecordBatch(s.fields, columns, n),
		First:  s.first,
		Lines:  lines,
	}
	s.first += n
	return b
}

// ragged is the error of a row that has not as many cells as the header.
func (s *csvSource) ragged() error {
	found, want := len(s.lex.cells), len(s.columns)
	e := &Error{
		File: s.file,
		Line: s.lex.at,
		Msg:  fmt.Sprintf("the row has %s, the header has %d", count(found, "cell"), want),
	}
	if found > want {
		e.Hint = "put a cell that holds the delimiter in double quotes"
	}
	return e
}

// locate completes an error with the name of the file.
func (s *csvSource) locate(err error) error {
	var e *Error
	if !errors.As(err, &e) {
		e = &Error{Err: err}
	}
	e.File = s.file
	return e
}

// textBuilder builds a utf8 column.
type textBuilder struct {
	offsets []int32
	data    []byte
}

// add appends a cell.
func (b *textBuilder) add(text []byte) {
	if b.offsets == nil {
		b.offsets = append(b.offsets, 0)
	}
	b.data = append(b.data, text...)
	b.offsets = append(b.offsets, int32(len(b.data)))
}

// finish returns the column and starts the next one, which is expected to be of a similar size.
func (b *textBuilder) finish() arrow.Array {
	n := len(b.offsets) - 1
	offsets := memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(b.offsets))
	data := array.NewData(arrow.BinaryTypes.String, n,
		[]*memory.Buffer{nil, offsets, memory.NewBufferBytes(b.data)}, nil, 0, 0)
	b.offsets = make([]int32, 0, len(b.offsets))
	b.data = make([]byte, 0, len(b.data)+len(b.data)/8)
	return array.NewStringData(data)
}

// count is a number of things, such as "1 cell" or "2 cells".
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
