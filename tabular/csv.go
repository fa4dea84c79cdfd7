package tabular

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// maxBatchBytes ends a batch of a text file early, so that long rows do not add up.
const maxBatchBytes = 32 << 20

// csvFormat is delimited text.
func csvFormat() fileFormat {
	return fileFormat{format: CSV, name: "csv", also: []string{"tsv", "ssv", "tab", "txt"}, text: true,
		files: []fileName{{extension: ".csv", media: "text/csv", delimiter: ','},
			{extension: ".tsv", media: "text/tab-separated-values", delimiter: '\t'},
			{extension: ".tab", delimiter: '\t'}, {extension: ".ssv", delimiter: ';'},
			{extension: ".txt"}},
		open: openCSV, create: newCSVEncoder}
}

// csvSource reads delimited text.
type csvSource struct {
	file   string
	lex    *lexer
	done   func() // frees the decompressor
	fields *arrow.Schema
	held   rowStore
	max    int   // rows in a batch
	first  int64 // rows delivered
	notes  []string
}

// openCSV starts to read delimited text from in. What it returns has read the header.
func openCSV(in input, name string, opt ReadOptions) (source, error) {
	s := &csvSource{file: name, max: opt.batchRows(), done: func() {}}
	if err := s.open(in.stream, opt); err != nil {
		s.close()
		return nil, s.locate(err)
	}
	return s, nil
}

// beginning is what there is to say about the beginning of the text.
func (s *csvSource) beginning() []string { return s.notes }

// open finds out how the text is packed, encoded and delimited, and reads the header.
func (s *csvSource) open(in io.Reader, opt ReadOptions) error {
	text, done, err := unpack(bufio.NewReaderSize(in, readSize))
	if err != nil {
		return err
	}
	s.done = done
	if opt.Format == Auto {
		head, _ := text.Peek(headBytes)
		if f := foreignBytes(head); f != nil { // that was packed
			return f.error(s.file)
		}
		if jsonObject(head) && FormatOf(s.file) != CSV {
			e := &Error{Msg: "it looks like format " + JSONLines.String()}
			return e.advise("say %s %s", OptionFormat, JSONLines)
		}
	}
	s.lex = newText(text, opt.Encoding)
	if s.lex.decoded == UTF16 && opt.Encoding != UTF16 {
		s.notes = append(s.notes, "decoded from UTF-16")
	}
	if err := s.lex.skipLines(opt.HeaderRow - 1); err != nil {
		return err
	}
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
	nameFirst(fields)
	s.fields = arrow.NewSchema(fields, nil)
	if err := checkNames(s.fields); err != nil {
		err.Line = s.lex.at
		return err
	}
	return nil
}

// schema names the columns, all of type utf8.
func (s *csvSource) schema() *arrow.Schema { return s.fields }

// rows is not known: text has no footer.
func (s *csvSource) rows() int64 { return -1 }

// end has nothing to say.
func (s *csvSource) end() string { return "" }

// close frees the decompressor.
func (s *csvSource) close() { s.done() }

// next reads the next rows.
func (s *csvSource) next(ctx context.Context) (*Batch, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	columns := s.fields.NumFields()
	s.held.reset(columns)
	for len(s.held.lines) < s.max && s.held.size() < maxBatchBytes {
		err := s.lex.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, s.locate(err)
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
	b := &Batch{
		File:   s.file,
		Record: array.NewRecordBatch(s.fields, s.held.arrays(), n),
		First:  s.first,
		Lines:  slices.Clone(s.held.lines),
	}
	s.first += n
	return b, nil
}

// ragged is the error of a row that has not as many cells as the header.
func (s *csvSource) ragged() error {
	found, want := len(s.lex.cells), s.fields.NumFields()
	e := &Error{
		File: s.file,
		Line: s.lex.at,
		Msg:  fmt.Sprintf("the row has %s, the header has %d", ground.Count(found, "cell"), want),
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
