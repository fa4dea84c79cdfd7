// Package jsonl reads JSON lines: an object on every line.
package jsonl

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"golang.org/x/text/encoding"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// The columns of JSON lines are the keys of the first rows, up to this many rows or bytes.
const (
	KeyRows  = 4096
	keyBytes = 8 << 20
)

// Reader reads JSON lines: an object on every line, whose keys are columns. Numbers, texts, true
// and false become cells as in a text file; null and a missing key are null.
type Reader struct {
	ground.Lines
	in     *bufio.Reader
	column map[string]int
	seen   []int64 // line on which a key was last seen

	held []ground.SparseRow // rows that the columns were found in
	text []byte             // of a line
	line int64              // number of it
}

// Open starts to read JSON lines. It finds the columns.
func Open(in ground.Input, opt ground.Options) (ground.Source, error) {
	s := &Reader{in: in.Stream, column: map[string]int{},
		Lines: ground.Lines{Most: opt.BatchRows}}
	names := []string{}
	for size := 0; len(s.held) < KeyRows && size < keyBytes; size += len(s.text) {
		row, err := s.row(&names)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		s.held = append(s.held, row)
	}
	if len(s.held) == 0 {
		return nil, &ground.Error{Msg: "the file is empty",
			Hint: `write one object per line, such as {"x": 1, "y": 2}`}
	}
	fields := make([]arrow.Field, len(names))
	for i, name := range names {
		fields[i] = arrow.Field{Name: name, Type: arrow.BinaryTypes.String, Nullable: true}
	}
	s.Fields = arrow.NewSchema(fields, nil)
	return s, nil
}

// Next reads the next rows, fewer if there are many columns.
func (s *Reader) Next(context.Context) (*ground.Batch, error) {
	return s.Sparse(s.next)
}

// next returns the next row, with the size of its text unless it is held already.
func (s *Reader) next() (ground.SparseRow, int, error) {
	if len(s.held) > 0 {
		row := s.held[0]
		s.held = s.held[1:]
		return row, 0, nil
	}
	row, err := s.row(nil)
	return row, len(s.text), err
}

// row reads the next object. It appends new keys to names, or refuses them if names is nil.
func (s *Reader) row(names *[]string) (ground.SparseRow, error) {
	s.text = s.text[:0]
	for len(bytes.TrimSpace(s.text)) == 0 {
		if err := s.readLine(); err != nil {
			return ground.SparseRow{}, err
		}
	}
	row := ground.SparseRow{Line: s.line}
	err := readObject(s.text, func(key string, text *string, number bool) error {
		at, ok := s.column[key]
		switch {
		case !ok && names == nil:
			return &ground.Error{Column: key, Msg: "the key is not among those of the first rows",
				Hint: fmt.Sprintf("write every key in the first %d rows, with null for a missing value",
					KeyRows)}
		case !ok && len(*names) == ground.MaxColumns:
			return &ground.Error{Msg: fmt.Sprintf("the table has more than %d columns", ground.MaxColumns)}
		case !ok:
			at = len(*names)
			s.column[key] = at
			*names, s.seen = append(*names, key), append(s.seen, 0)
		case s.seen[at] == s.line:
			return &ground.Error{Column: key, Msg: "the key occurs twice in the object"}
		}
		s.seen[at] = s.line
		if text != nil {
			row.Cells = append(row.Cells, ground.SparseCell{Column: at, Text: *text, Number: number})
		}
		return nil
	})
	if e, ok := err.(*ground.Error); ok {
		e.Line = s.line
	}
	return row, err
}

// readLine reads a line into s.text, without its end.
func (s *Reader) readLine() error {
	s.text = s.text[:0]
	s.line++
	for {
		part, err := s.in.ReadSlice('\n')
		s.text = append(s.text, part...)
		switch {
		case len(s.text) > ground.MaxRecord:
			return &ground.Error{Line: s.line,
				Msg:  fmt.Sprintf("the row is longer than %d bytes", ground.MaxRecord),
				Hint: "write one object per line"}
		case err == nil || err == io.EOF && len(s.text) > 0:
			s.text = bytes.TrimPrefix(s.text, ground.BOM) // files may have been joined
			return nil
		case err == io.EOF:
			return io.EOF
		case err != bufio.ErrBufferFull:
			return ground.RestUnread(s.line, err)
		}
	}
}

// readObject reads a line that holds a JSON object and calls member for each of its members, in
// their order: with the text of a string, number or boolean, and nil for null. It fails if the line
// is wrong, and with the errors of member.
func readObject(line []byte, member func(key string, text *string, number bool) error) error {
	if _, at, err := encoding.UTF8Validator.Transform(line, line, true); err != nil {
		return &ground.Error{Msg: fmt.Sprintf("the text is not valid UTF-8 (byte %d of the line)", at+1),
			Hint: "save the file as UTF-8"}
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	token, err := d.Token()
	if err != nil {
		return notJSON(line, err)
	}
	if token != json.Delim('{') {
		return &ground.Error{Msg: "the line is " + jsonName(token) + ", not an object",
			Hint: "write one object per line, such as {\"x\": 1, \"y\": 2}"}
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return notJSON(line, err)
		}
		name, _ := key.(string)
		text, number, err := readMember(d, name, line)
		if err == nil {
			err = member(name, text, number)
		}
		if err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return notJSON(line, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return &ground.Error{Msg: "there is text after the object",
			Hint: "write one object per line"}
	}
	return nil
}

func readMember(d *json.Decoder, name string, line []byte) (value *string, number bool, err error) {
	token, err := d.Token()
	if err != nil {
		return nil, false, notJSON(line, err)
	}
	text := ""
	switch v := token.(type) {
	case nil:
		return nil, false, nil
	case bool:
		text = fmt.Sprint(v)
	case json.Number:
		text, number = v.String(), true
	case string:
		text = v
	default:
		return nil, false, &ground.Error{Column: name, Msg: "the value is " + jsonName(token),
			Hint: "write its members as separate columns, or leave it out: jq can do both"}
	}
	for _, t := range []string{name, text} {
		if strings.ContainsRune(t, utf8.RuneError) && !bytes.ContainsRune(line, utf8.RuneError) &&
			!bytes.Contains(bytes.ToLower(line), []byte(`\ufffd`)) {
			return nil, false,
				&ground.Error{Column: name, Msg: `the value has half of a surrogate pair (\ud800 to \udfff)`}
		}
	}
	if len(text) > ground.MaxCell {
		return nil, false,
			&ground.Error{Column: name, Msg: fmt.Sprintf("a cell is longer than %d bytes", ground.MaxCell)}
	}
	return &text, number, nil
}

// notJSON describes what is wrong with a line, where err was found.
func notJSON(line []byte, err error) error {
	e := &ground.Error{Msg: "the line is not valid JSON", Err: ground.Brief(err)}
	var whole json.RawMessage
	if fault, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(line, &whole)); ok {
		e.Err = fmt.Errorf("byte %d is unexpected", fault.Offset)
		if at := fault.Offset - 1; at >= 0 && (line[at] == 'N' || line[at] == 'I') {
			e.Hint = "JSON has no NaN and no Infinity: write null for a missing value"
		}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		e.Err = errors.New("the object has no end")
		e.Hint = "write a whole object per line: jq -c . does it"
	}
	return e
}

// jsonName describes what a token begins.
func jsonName(token json.Token) string {
	switch token.(type) {
	case json.Delim:
		if token == json.Delim('{') {
			return "an object"
		}
		return "a list"
	case string:
		return "a text"
	case json.Number:
		return "a number"
	case bool:
		return "true or false"
	}
	return "null"
}
