package tabular

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// benchText is a table of 20,000 rows: numbers, or text with quotes.
func benchText(quoted bool) []byte {
	var b bytes.Buffer
	r := rand.New(rand.NewPCG(1, 1))
	b.WriteString("a,b,c,d,e,f,g,h,i,j\n")
	for range 20000 {
		for j := range 10 {
			if j > 0 {
				b.WriteByte(',')
			}
			if quoted && j%3 == 0 {
				fmt.Fprintf(&b, `"name, of ""row"" %d"`, r.IntN(1000))
				continue
			}
			fmt.Fprintf(&b, "%.5f", r.NormFloat64())
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// BenchmarkCSV reads a table with this package and with encoding/csv.
func BenchmarkCSV(b *testing.B) {
	for _, sort := range []string{"numbers", "quoted"} {
		text := benchText(sort == "quoted")
		b.Run(sort+"/tabular", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				s, err := openCSV(io.NopCloser(bytes.NewReader(text)), "x.csv", ReadOptions{})
				if err != nil {
					b.Fatal(err)
				}
				for {
					if _, err := s.next(b.Context()); err == io.EOF {
						break
					} else if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
		b.Run(sort+"/encoding-csv", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				r := csv.NewReader(bytes.NewReader(text))
				r.ReuseRecord = true
				for {
					if _, err := r.Read(); err == io.EOF {
						break
					} else if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// BenchmarkLearn infers and encodes a table of 20,000 rows.
func BenchmarkLearn(b *testing.B) {
	text := benchText(true)
	t := readText(b, string(text), ReadOptions{})
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s, err := Learn(t, SchemaOptions{Target: "b"})
		if err != nil {
			b.Fatal(err)
		}
		if _, _, err := s.Training(t); err != nil {
			b.Fatal(err)
		}
	}
}

// readText reads a table from a text.
func readText(t testing.TB, text string, opt ReadOptions) *Table {
	t.Helper()
	opt.Stdin = strings.NewReader(text)
	table, err := ReadAll(t.Context(), "-", opt)
	if err != nil {
		t.Fatal(err)
	}
	return table
}
