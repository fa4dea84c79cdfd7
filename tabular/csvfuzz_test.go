package tabular

import (
	"bytes"
	"encoding/csv"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// lexAll cuts a text into records, without any rule on columns.
func lexAll(text []byte, chunk int) ([][]string, error) {
	l := newLexer(&chunks{text: text, size: chunk}, ',')
	var records [][]string
	for {
		err := l.next()
		if err == io.EOF {
			return records, nil
		}
		if err != nil {
			return records, err
		}
		if len(l.record) == 0 {
			continue
		}
		record := make([]string, len(l.cells))
		for i, c := range l.cells {
			record[i] = string(l.text(c))
		}
		records = append(records, record)
	}
}

// chunks reads a text in pieces of a size.
type chunks struct {
	text []byte
	size int
}

func (c *chunks) Read(p []byte) (int, error) {
	if len(c.text) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), c.size)], c.text)
	c.text = c.text[n:]
	return n, nil
}

// FuzzCSV compares the lexer with encoding/csv, which differs on purpose in this: it does not
// end records at CR alone, turns CRLF in cells to LF, and takes NUL and bytes that are not UTF-8.
func FuzzCSV(f *testing.F) {
	for _, seed := range []string{
		"a,b\n1,2\n", "a,\"b\n\"\"c\",d\n", "\n\n,\n", "a\n\"", "\"a\"b", "a\"b", "\"\"\"\"\n\"\",x",
		"a,b\n1,2", " \"x\"", "é,\"ü\"\n", "\"a\n\",b\n\n\nc",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.ContainsAny(text, "\r\x00") || !utf8.Valid(text) {
			if _, err := lexAll(text, len(text)+1); err != nil {
				checkLine(t, text, err)
			}
			return
		}
		r := csv.NewReader(bytes.NewReader(text))
		r.FieldsPerRecord = -1
		want, wantErr := r.ReadAll()
		got, err := lexAll(text, len(text)+1)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("got %v, encoding/csv %v", err, wantErr)
		}
		if err != nil {
			checkLine(t, text, err)
			return
		}
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("got %q, encoding/csv %q", got, want)
		}
		small, err := lexAll(text, 1)
		if err != nil || !slices.EqualFunc(got, small, slices.Equal) {
			t.Fatalf("byte by byte %q %v, else %q", small, err, got)
		}
	})
}

// checkLine checks that an error points at a line of the text.
func checkLine(t *testing.T, text []byte, err error) {
	t.Helper()
	e, ok := err.(*Error)
	if !ok || e.Line < 1 || e.Line > lineBreaks(text)+1 {
		t.Fatalf("got %v, want an *Error with a line of the text", err)
	}
}

// FuzzReadText reads any bytes as a table, learns from it and encodes it: an *Error or a table
// whose rows have as many cells as the header.
func FuzzReadText(f *testing.F) {
	f.Add([]byte("a,b,y\n1,x,2\n2,,3\n"))
	f.Add([]byte("a;y\r1,5;2\r"))
	f.Add([]byte("\xff\xfea\x00,\x00b\x00\n\x001\x00,\x002\x00"))
	f.Add([]byte("d,t,y\n2020-01-02,true,1\n2020-01-02T03:04,FALSE,NA\n"))
	f.Add([]byte(packGzip(f, strings.NewReader("a,b\n1,2\n"))))
	f.Fuzz(func(t *testing.T, text []byte) {
		opt := ReadOptions{Format: CSV, Stdin: bytes.NewReader(text), MaxBytes: 1 << 26}
		table, err := ReadAll(t.Context(), "-", opt)
		if err != nil {
			if _, ok := err.(*Error); !ok {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		names := table.Names()
		for _, target := range []string{"", names[len(names)-1]} {
			s, err := Learn(table, SchemaOptions{Target: target})
			if err != nil {
				if _, ok := err.(*Error); !ok {
					t.Fatalf("%T: %v", err, err)
				}
				continue
			}
			x, y, err := s.Training(table)
			if err != nil {
				t.Fatalf("learned but not encoded: %v", err)
			}
			if len(x.Data) != x.Rows*x.Cols || int64(x.Rows) != table.Rows ||
				target != "" && len(y) != x.Rows || len(x.Unseen) > 0 {
				t.Fatalf("%d×%d features, %d targets, unseen %v", x.Rows, x.Cols, len(y), x.Unseen)
			}
		}
	})
}
