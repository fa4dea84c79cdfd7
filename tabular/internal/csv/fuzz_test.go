package csv

import (
	"bytes"
	"encoding/csv"
	"io"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
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
// end records at CR alone, turns CRLF in cells to LF, and takes NUL, bytes that are not UTF-8
// and byte order marks before records.
func FuzzCSV(f *testing.F) {
	for _, seed := range []string{
		"a,b\n1,2\n", "a,\"b\n\"\"c\",d\n", "\n\n,\n", "a\n\"", "\"a\"b", "a\"b",
		"\"\"\"\"\n\"\",x", "a,b\n1,2", " \"x\"", "é,\"ü\"\n", "\"a\n\",b\n\n\nc",
		"\ufeff\ufeffa\n\ufeff",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.ContainsAny(text, "\r\x00\ufeff") || !utf8.Valid(text) {
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

func checkLine(t *testing.T, text []byte, err error) {
	t.Helper()
	e, ok := err.(*ground.Error)
	if !ok || e.Line < 1 || e.Line > lineBreaks(text)+1 {
		t.Fatalf("got %v, want a *ground.Error with a line of the text", err)
	}
}
