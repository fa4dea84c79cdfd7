package tabular

import (
	"bytes"
	"strings"
	"testing"
	"testing/iotest"
)

func TestPickFormat(t *testing.T) {
	parquet, file := "PAR1\x15\x04\x15", "ARROW1\x00\x00"
	stream := "\xff\xff\xff\xff\x10\x00\x00\x00"
	tests := []struct {
		path  string
		asked Format
		head  string
		want  Format
		fails bool
	}{
		{"x.csv", Auto, "a,b", CSV, false},
		{"x", Auto, "a,b", CSV, false},
		{"x", Auto, "", CSV, false},
		{"x", Auto, parquet, Parquet, false},
		{"x.dat", Auto, file, ArrowFile, false},
		{"-", Auto, stream, ArrowStream, false},
		{"x.csv", Auto, parquet, Auto, true},
		{"x.csv", Auto, file, Auto, true},
		{"x.csv", Auto, "PAR1,b\n1", CSV, false},
		{"x.csv", Parquet, parquet, Parquet, false},
		{"x.parquet", Auto, "a,b", Parquet, false},
		{"x.parquet", CSV, "a,b", CSV, false},
		{"x.csv", ArrowStream, "a,b", CSV, false}, // meant for another table
		{"x.parquet", ArrowStream, parquet, Parquet, false},
		{"x", ArrowStream, "a,b", ArrowStream, false},
		{"x.csv", CSV, "{\"a\":1}", CSV, false},
		{"x.parquet.gz", Auto, "\x1f\x8b", Auto, true},
	}
	for _, test := range tests {
		got, err := pickFormat(test.path, test.asked, []byte(test.head))
		if got != test.want || (err != nil) != test.fails {
			t.Errorf("%s: %q: got %v, %v", test.path, test.head, got, err)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	_, err := Open("-", ReadOptions{})
	checkError(t, err, "stdin: standard input is not available")
	pipe := iotest.HalfReader(strings.NewReader("PAR1\x15\x04"))
	_, err = Open("-", ReadOptions{Stdin: pipe})
	checkError(t, err, "stdin: a file of format parquet cannot be read from a pipe")
}

// TestMaxBytes checks the estimate: 4.4 times 8 bytes a cell and 88 a row, and the text as held.
func TestMaxBytes(t *testing.T) {
	narrow := "a,b\n" + strings.Repeat("1,2\n", 1000)
	opt := ReadOptions{MaxBytes: 200_000, BatchRows: 10}
	_, err := ReadAll(t.Context(), writeFile(t, "x.csv", narrow), opt)
	e, ok := err.(*Error)
	if !ok || !e.Limit || !strings.Contains(e.Msg, "its first 400 rows of 2 columns take about") {
		t.Errorf("got %v", err)
	}
	long := "a,b\n" + strings.Repeat("1,"+strings.Repeat("x", 1000)+"\n", 50)
	if _, err := ReadAll(t.Context(), writeFile(t, "x.csv", long), opt); err == nil {
		t.Error("50 kB are taken for less than 45 kB")
	}
	opt.MaxBytes = 1 << 26
	if _, err := ReadAll(t.Context(), writeFile(t, "x.csv", narrow), opt); err != nil {
		t.Error(err)
	}
	// Batches that are cut from one record batch of a file count once.
	opt.Format = ArrowStream
	one := arrowStream(t, numbers(100_000).Column(0))
	if table, err := readFrom(bytes.NewReader(one), "t", opt); err != nil || table.Rows != 100_000 {
		t.Error(err)
	}
}
