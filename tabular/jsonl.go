package tabular

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
)

// The columns of JSON lines are the keys of the first rows, so many, or so many bytes of them.
const (
	keyRows  = DefaultBatchRows
	keyBytes = 8 << 20
)

// jsonFormat is JSON lines.
func jsonFormat() fileFormat {
	return fileFormat{format: JSONLines, name: "jsonl", also: []string{"ndjson"}, text: true,
		files:  []fileName{{extension: ".jsonl", media: "application/x-ndjson"}, {extension: ".ndjson"}},
		begins: jsonObject, open: openJSON}
}

// jsonSource reads JSON lines: an object on every line, whose keys are columns. Numbers, texts,
// true and false are cells as a text file has them; null and a key that is missing are null.
type jsonSource struct {
	file   string
	in     *bufio.Reader
	done   func() // frees the decompressor
	fields *arrow.Schema
	column map[string]int
	seen   []int64 // line on which a key was last
	max    int     // rows in a batch

	held  []sparseRow // rows that the columns are known from
	text  []byte      // of a line
	line  int64       // number of it
	first int64       // rows delivered
}

// openJSON starts to read JSON lines. What it returns knows the columns.
func openJSON(in input, name string, opt ReadOptions) (source, error) {
	s := &jsonSource{file: name, column: map[string]int{}, max: opt.batchRows(), done: func() {}}
	if err := s.open(in.stream); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// open reads the first rows.
func (s *jsonSource) open(in io.Reader) error {
	text, done, err := unpack(bufio.NewReaderSize(in, readSize))
	if err != nil {
		return err
	}
	s.in, s.done = text, done
	if head, _ := s.in.Peek(len(bomUTF8)); bytes.Equal(head, bomUTF8) {
		if _, err := s.in.Discard(len(bomUTF8)); err != nil {
			return err
		}
	}
	names := []string{}
	for size := 0; len(s.held) < keyRows && size < keyBytes; size += len(s.text) {
		row, err := s.row(&names)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		s.held = append(s.held, row)
	}
	if len(s.held) == 0 {
		return &Error{Msg: "the file is empty", Hint: "JSON lines have an object on every line"}
	}
	fields := make([]arrow.Field, len(names))
	for i, name := range names {
		fields[i] = arrow.Field{Name: name, Type: arrow.BinaryTypes.String, Nullable: true}
	}
	s.fields = arrow.NewSchema(fields, nil)
	return nil
}

func (s *jsonSource) schema() *arrow.Schema { return s.fields }

// rows is not known: text has no footer.
func (s *jsonSource) rows() int64 { return -1 }

// end has nothing to say.
func (s *jsonSource) end() string { return "" }

// close frees the decompressor.
func (s *jsonSource) close() { s.done() }

// next reads the next rows, fewer of them where there are many columns.
func (s *jsonSource) next(ctx context.Context) (*Batch, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	columns := s.fields.NumFields()
	most := min(s.max, max(1, maxBatchBytes/(8*columns)))
	var rows []sparseRow
	for size := 0; len(rows) < most && size < maxBatchBytes; {
		if len(s.held) > 0 {
			rows, s.held = append(rows, s.held[0]), s.held[1:]
			continue
		}
		row, err := s.row(nil)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		size += len(s.text)
		rows = append(rows, row)
	}
	return sparseBatch(s.file, s.fields, rows, &s.first)
}

// row reads the next object; its new keys are appended to names, or refused where that is nil.
func (s *jsonSource) row(names *[]string) (sparseRow, error) {
	for {
		if err := s.readLine(); err != nil {
			return sparseRow{}, err
		}
		if len(bytes.TrimSpace(s.text)) > 0 {
			break
		}
	}
	row := sparseRow{line: s.line}
	err := readObject(s.text, func(key string, text *string, number bool) error {
		at, ok := s.column[key]
		switch {
		case !ok && names == nil:
			return &Error{Column: key, Msg: "it is not among the keys of the first rows",
				Hint: fmt.Sprintf("the first %d rows must have every key, null where there is no value",
					keyRows)}
		case !ok && len(*names) == maxColumns:
			return &Error{Msg: fmt.Sprintf("the table has more than %d columns", maxColumns)}
		case !ok:
			at = len(*names)
			s.column[key] = at
			*names, s.seen = append(*names, key), append(s.seen, 0)
		case s.seen[at] == s.line:
			return &Error{Column: key, Msg: "the key is there twice"}
		}
		s.seen[at] = s.line
		if text != nil {
			row.cells = append(row.cells, sparseCell{at, *text, number})
		}
		return nil
	})
	if e, ok := err.(*Error); ok {
		e.Line = s.line
	}
	return row, err
}

// readLine reads a line into s.text, without its end.
func (s *jsonSource) readLine() error {
	s.text = s.text[:0]
	s.line++
	for {
		part, err := s.in.ReadSlice('\n')
		s.text = append(s.text, part...)
		switch {
		case len(s.text) > maxRecord:
			return &Error{Line: s.line, Msg: fmt.Sprintf("the row is longer than %d bytes", maxRecord),
				Hint: "JSON lines have an object on every line"}
		case err == nil || err == io.EOF && len(s.text) > 0:
			return nil
		case err == io.EOF:
			return io.EOF
		case err != bufio.ErrBufferFull:
			if located, ok := err.(*Error); ok {
				return located
			}
			return &Error{Line: s.line, Msg: "reading stopped", Err: err}
		}
	}
}
