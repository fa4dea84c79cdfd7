package tabular

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	tables "github.com/pfnamp/pfnamp/tabular/internal/csv"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
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

// BenchmarkCSV reads a table into columns with this package, with encoding/csv into the same
// columns, and with encoding/csv alone, which leaves the cells where they are.
func BenchmarkCSV(b *testing.B) {
	readers := []struct {
		name string
		read func(text []byte) error
	}{
		{"tabular", readColumns},
		{"encoding-csv-columns", func(text []byte) error { return readStd(text, true) }},
		{"encoding-csv", func(text []byte) error { return readStd(text, false) }},
	}
	for _, sort := range []string{"numbers", "quoted"} {
		text := benchText(sort == "quoted")
		for _, r := range readers {
			b.Run(sort+"/"+r.name, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					if err := r.read(text); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// readColumns reads a table with this package.
func readColumns(text []byte) error {
	s, err := tables.Open(ground.Input{Stream: bytes.NewReader(text)}, ReadOptions{}.source("x.csv"))
	if err != nil {
		return err
	}
	for {
		if _, err := s.Next(context.Background()); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// readStd reads a table with encoding/csv and builds columns where asked to.
func readStd(text []byte, columns bool) error {
	r := csv.NewReader(bytes.NewReader(text))
	r.ReuseRecord = true
	header, err := r.Read()
	if err != nil {
		return err
	}
	builders := make([]*array.StringBuilder, len(header))
	for i := range builders {
		builders[i] = array.NewStringBuilder(memory.DefaultAllocator)
	}
	for n := 1; ; n++ {
		record, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if !columns {
			continue
		}
		for i, cell := range record {
			builders[i].Append(cell)
			if n%DefaultBatchRows == 0 {
				builders[i].NewArray()
			}
		}
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
