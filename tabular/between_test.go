package tabular

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// numbered is a batch of rows from..to-1 with their numbers.
func numbered(from, to int) arrow.RecordBatch {
	b := array.NewInt64Builder(memory.DefaultAllocator)
	for n := from; n < to; n++ {
		b.Append(int64(n))
	}
	return record("n", b.NewArray())
}

// TestBetween reads a table in ranges: together they are the table, and rows keep their numbers.
func TestBetween(t *testing.T) {
	const rows = 2*ground.GroupRows + 1000 // three row groups
	for _, name := range []string{"t.csv", "t.parquet", "t.arrow", "t.arrows"} {
		path := writeFile(t, name, string(written(t, WriteOptions{Format: FormatOf(name)},
			numbered(0, rows))))
		n, err := Count(t.Context(), path, ReadOptions{})
		if err != nil || n != rows {
			t.Errorf("%s: %d rows, %v", name, n, err)
		}
		for _, cuts := range [][]int64{{0, rows}, {0, 1, 5000, ground.GroupRows, rows},
			{0, 20000, 20000, rows},
			{0, rows - 1, rows, rows + 10}} {
			at := int64(0)
			for i, to := range cuts[1:] {
				at = checkRange(t, path, at, cuts[i], min(to, rows))
			}
			if at != rows {
				t.Errorf("%s, %v: %d rows", name, cuts, at)
			}
		}
	}
}

// checkRange reads rows from..to-1, which follow the first at rows, and returns how many there are
// then.
func checkRange(t *testing.T, path string, at, from, to int64) int64 {
	t.Helper()
	r, err := Open(path, ReadOptions{BatchRows: 3000})
	must.Succeed(t, err)
	defer r.Close()
	r.Between(from, to)
	for {
		b, err := r.Next(t.Context())
		if err == io.EOF {
			return at
		}
		must.Succeed(t, err)
		for i := range b.Rows() {
			if b.First+int64(i) != at || b.Record.Column(0).ValueStr(i) != fmt.Sprint(at) {
				t.Fatalf("%s, %d to %d: row %d is %s, want %d", path, from, to, b.First+int64(i),
					b.Record.Column(0).ValueStr(i), at)
			}
			at++
		}
	}
}

// TestBetweenErrors: an error before a range, or in it, names its row in the file.
func TestBetweenErrors(t *testing.T) {
	path := writeFile(t, "t.csv", "a,b\n1,2\n3\n4,5\n")
	r, err := Open(path, ReadOptions{BatchRows: 1})
	must.Succeed(t, err)
	defer r.Close()
	r.Between(2, 3)
	if _, err = r.Next(t.Context()); err == nil || !strings.Contains(err.Error(), ":3: the row") {
		t.Errorf("%v", err)
	}
}

// TestFlush: the rows of every Write are out before the output ends.
func TestFlush(t *testing.T) {
	for _, format := range []Format{CSV, ArrowStream} {
		var out bytes.Buffer
		w, err := Create("-", numbered(0, 0).Schema(), WriteOptions{Stdout: &out, Format: format,
			Flush: true})
		must.Succeed(t, err)
		for rows := 10; rows <= 30; rows += 10 {
			must.Succeed(t, w.Write(numbered(rows-10, rows)))
			table, err := readFrom(bytes.NewReader(out.Bytes()), "t", ReadOptions{Format: format})
			if err != nil || table.Rows != int64(rows) {
				t.Errorf("%s: %d of %d rows are out, %v", format, table.Rows, rows, err)
			}
		}
	}
}
