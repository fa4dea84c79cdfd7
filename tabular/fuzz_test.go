package tabular

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// fuzzFormat reads any bytes as a table of a format: rows, or an *Error in words of this package.
func fuzzFormat(f *testing.F, format Format) {
	for name, data := range victims(f) {
		if told, _ := ParseFormat(strings.TrimPrefix(filepath.Ext(name), ".")); told == format {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if bad := checkWords(readBytes(data, "fuzz", format)); bad != nil {
			t.Error(bad)
		}
	})
}

func FuzzParquet(f *testing.F) { fuzzFormat(f, Parquet) }

func FuzzArrowFile(f *testing.F) { fuzzFormat(f, ArrowFile) }

func FuzzArrowStream(f *testing.F) { fuzzFormat(f, ArrowStream) }

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
