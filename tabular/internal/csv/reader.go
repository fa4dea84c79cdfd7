// Package csv reads delimited text.
package csv

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
	"github.com/pfnamp/pfnamp/tabular/internal/spelling"
)

// Reader reads delimited text.
type Reader struct {
	ground.Lines
	told  byte     // delimiter of the name's extension, 0 for none or a comma
	names []string // expected columns
	lex   *lexer
	held  rowStore
	notes []string
}

// Open starts to read delimited text from in. It finds the encoding and the delimiter, and reads
// the header.
func Open(in ground.Input, opt ground.Options) (ground.Source, error) {
	s := &Reader{told: opt.Told, names: opt.Names, lex: newText(in.Stream, opt.Encoding),
		Lines: ground.Lines{Most: opt.BatchRows}}
	if s.lex.decoded == utf16 && opt.Encoding != utf16 {
		s.notes = append(s.notes, "decoded from UTF-16")
	}
	err := s.lex.skipLines(opt.HeaderRow - 1)
	if err == nil {
		err = s.delimit(opt.Delimiter)
	}
	if err == nil {
		err = s.header()
	}
	return s, err
}

// Beginning returns notes on the beginning of the text.
func (s *Reader) Beginning() []string { return s.notes }

// Note tells of a byte order mark inside the text.
func (s *Reader) Note() string { return s.lex.joined }

func (s *Reader) header() error {
	for len(s.lex.record) == 0 {
		err := s.lex.next()
		if err == io.EOF {
			return &ground.Error{
				Msg:  "the file is empty",
				Hint: "begin the file with a line that names the columns",
			}
		}
		if err != nil {
			return err
		}
	}
	fields := make([]arrow.Field, len(s.lex.cells))
	numbers := 0
	for i, c := range s.lex.cells {
		name := string(s.lex.text(c))
		fields[i] = arrow.Field{Name: name, Type: arrow.BinaryTypes.String}
		if spelling.IsNumber(strings.TrimSpace(name)) {
			numbers++
		}
	}
	if numbers == len(fields) {
		s.notes = append(s.notes,
			"every column name is a number: the line that names the columns may be missing")
	}
	ground.NameFirst(fields)
	s.Fields = arrow.NewSchema(fields, nil)
	if err := ground.CheckHeader(s.Fields, s.lex.at); err != nil {
		if len(fields) > 1 && fields[len(fields)-1].Name == "" {
			err.Also("if lines end with a delimiter, remove it")
		}
		return err
	}
	return nil
}

// Next reads the next rows.
func (s *Reader) Next(context.Context) (*ground.Batch, error) {
	columns := s.Fields.NumFields()
	held := &s.held // keeps the memory of the last rows
	held.text, held.spans, held.lines = held.text[:0], held.spans[:0], held.lines[:0]
	for len(s.held.lines) < s.Most && s.held.size() < ground.MaxBatchBytes {
		err := s.lex.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if len(s.lex.record) == 0 && columns > 1 {
			continue
		}
		if len(s.lex.cells) != columns {
			return nil, s.ragged()
		}
		s.held.add(s.lex)
	}
	n := int64(len(s.held.lines))
	if n == 0 {
		return nil, io.EOF
	}
	b := &ground.Batch{
		Record: array.NewRecordBatch(s.Fields, s.held.arrays(columns), n),
		First:  s.First,
		Lines:  slices.Clone(s.held.lines),
	}
	s.First += n
	return b, nil
}

// ragged returns the error for a row whose number of cells differs from the header.
func (s *Reader) ragged() error {
	found, want := len(s.lex.cells), s.Fields.NumFields()
	e := &ground.Error{Line: s.lex.at, Hint: "write a delimiter for every cell, also for an empty one",
		Msg: fmt.Sprintf("the row has %s, but the header has %d", ground.Count(found, "cell"), want)}
	switch cell := s.lex.text(s.lex.cells[found-1]); {
	case strings.HasPrefix(s.Fields.Field(0).Name, "#") || found >= 2*want:
		return e.Advise("if titles or comments are above the table, say which row has the names of "+
			"columns: %s %d", ground.OptionHeaderRow, s.lex.at)
	case found < want && strings.HasPrefix(string(cell), "#"):
		e.Hint = "remove lines of comments"
	case found == 1 && !spelling.IsNumber(string(cell)):
		e.Hint = "if the line is a remark, remove it; otherwise " + e.Hint
	case found == want+1 && len(cell) == 0:
		e.Hint = "the row ends with a delimiter: remove it, or give the header one more name"
	case found > want:
		e.Hint = "put a cell that contains the delimiter in double quotes"
	}
	return e
}

// skipLines skips lines of a text before the one that names the columns.
func (l *lexer) skipLines(n int) error {
	for l.line <= int64(n) {
		data := l.data()
		at := bytes.IndexAny(data, "\r\n")
		if at >= 0 && data[at] == '\r' && at+1 == len(data) && l.more() {
			continue // a line feed may follow
		}
		switch {
		case at >= 0:
			if bytes.HasPrefix(data[at:], []byte("\r\n")) {
				at++
			}
			l.start += at + 1
			l.line++
		case len(data) > ground.MaxRecord:
			return &ground.Error{Line: l.line,
				Msg: fmt.Sprintf("the line is longer than %d bytes", ground.MaxRecord)}
		case !l.more() && l.err != io.EOF:
			return ground.RestUnread(l.line, l.err)
		case l.err == io.EOF && len(l.data()) == len(data):
			return ground.NoHeader(n+1, "line")
		}
	}
	return nil
}

// rowStore stores rows of text and turns them into columns.
type rowStore struct {
	text  []byte
	spans []span  // of every cell, row by row
	lines []int64 // on which each row starts
}

// span is the position of a cell's text in a rowStore.
type span struct{ from, to uint32 }

func (r *rowStore) size() int { return len(r.text) + 8*len(r.spans) }

// add appends the record that a lexer found.
func (r *rowStore) add(l *lexer) {
	base := uint32(len(r.text))
	for _, c := range l.cells {
		to := c.to
		if c.doubled {
			to = c.from + len(l.text(c))
		}
		r.spans = append(r.spans, span{base + uint32(c.from), base + uint32(to)})
	}
	r.text = append(r.text, l.record...)
	r.lines = append(r.lines, l.at)
}

// arrays returns the rows as utf8 columns, which share no memory with the store.
func (r *rowStore) arrays(columns int) []arrow.Array {
	arrays := make([]arrow.Array, columns)
	for j := range arrays {
		offsets := make([]int32, 1, len(r.lines)+1)
		size := uint32(0)
		for k := j; k < len(r.spans); k += columns {
			size += r.spans[k].to - r.spans[k].from
			offsets = append(offsets, int32(size))
		}
		text := make([]byte, 0, size)
		for k := j; k < len(r.spans); k += columns {
			text = append(text, r.text[r.spans[k].from:r.spans[k].to]...)
		}
		arrays[j] = array.NewStringData(array.NewData(arrow.BinaryTypes.String, len(r.lines),
			[]*memory.Buffer{nil, memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(offsets)),
				memory.NewBufferBytes(text)}, nil, 0, 0))
	}
	return arrays
}
