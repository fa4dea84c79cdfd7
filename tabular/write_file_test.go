package tabular

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/internal/must"
)

// numbers is a batch of one column, x, of n rows from 0.
func numbers(n int) arrow.RecordBatch {
	b := array.NewFloat64Builder(memory.DefaultAllocator)
	for i := range n {
		b.Append(float64(i))
	}
	return record("x", b.NewArray())
}

// wide is a batch of twenty columns of numbers.
func wide(rows int) arrow.RecordBatch {
	var names []string
	var columns []arrow.Array
	for i := range 20 {
		b := array.NewFloat64Builder(memory.DefaultAllocator)
		for row := range rows {
			b.Append(math.Sin(float64(row*20 + i)))
		}
		names, columns = append(names, fmt.Sprint("x", i)), append(columns, b.NewArray())
	}
	return record(strings.Join(names, ","), columns...)
}

// TestAppearsComplete checks that a file appears with Commit, and that a failure leaves the old
// file and nothing else.
func TestAppearsComplete(t *testing.T) {
	rec := numbers(3)
	for _, name := range []string{"t.csv", "t.csv.gz", "t.tsv.zst", "t.parquet", "t.arrow",
		"t.arrows"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		must.Succeed(t, os.WriteFile(path, []byte("old"), 0o640))
		for _, commit := range []bool{false, true} {
			w, err := Create(path, rec.Schema(), WriteOptions{})
			must.Succeed(t, err)
			must.Succeed(t, w.Write(rec))
			if data, _ := os.ReadFile(path); string(data) != "old" {
				t.Errorf("%s: changed before Commit", name)
			}
			if commit {
				err = w.Commit()
			}
			must.Succeed(t, errors.Join(err, w.Abort()))
		}
		entries, err := os.ReadDir(dir)
		info, err2 := os.Stat(path)
		must.Succeed(t, errors.Join(err, err2))
		if len(entries) != 1 || info.Mode().Perm() != 0o640 {
			t.Errorf("%s: %v in the folder, mode %v", name, entries, info.Mode())
		}
		table, err := ReadAll(t.Context(), path, ReadOptions{Delimiter: readDelimiter(name)})
		if err != nil || table.Rows != 3 {
			t.Errorf("%s: cannot be read back: %v", name, err)
		}
	}
}

// readDelimiter is the delimiter of a file of one column, which cannot be detected.
func readDelimiter(name string) rune {
	if strings.Contains(name, ".tsv") {
		return '\t'
	}
	return ','
}

// TestSameFile checks the comparison of paths.
func TestSameFile(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	err := errors.Join(os.WriteFile(at("a"), nil, 0o666), os.WriteFile(at("b"), nil, 0o666),
		os.Symlink(at("a"), at("soft")), os.Link(at("a"), at("hard")),
		os.Symlink(dir, at("folder")), os.Symlink("loop", at("loop")))
	must.Succeed(t, err)
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{at("a"), at("a"), true}, {at("a"), at("soft"), true}, {at("a"), at("hard"), true},
		{at("a"), at("b"), false}, {at("a"), at("folder/../a"), true},
		{at("new"), at("new"), true}, {at("new"), at("folder/new"), true},
		{at("new"), at("a"), false}, {at("new"), at("newer"), false}, {"-", "-", false},
		{at("loop"), at("a"), false}, {at("loop"), at("new"), false}, {at("loop"), at("loop"), true},
	} {
		if same := SameFile(c.a, c.b); same != c.same {
			t.Errorf("%s and %s: %v", c.a, c.b, same)
		}
	}
}

// TestNoRows checks that a table without rows keeps its columns.
func TestNoRows(t *testing.T) {
	for _, format := range []Format{CSV, Parquet, ArrowFile, ArrowStream} {
		path := writeFile(t, "t", string(written(t, WriteOptions{Format: format}, numbers(0))))
		table, err := ReadAll(t.Context(), path, ReadOptions{Format: format, Delimiter: ','})
		if err != nil || table.Rows != 0 || fmt.Sprint(table.Names()) != "[x]" {
			t.Errorf("%s: %v", format, err)
		}
	}
}

// ExampleCreate writes a table as text.
func ExampleCreate() {
	rec := numbers(2)
	w, err := Create("-", rec.Schema(), WriteOptions{Stdout: os.Stdout})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer w.Abort()
	if err := w.Write(rec); err != nil {
		fmt.Println(err)
		return
	}
	if err := w.Commit(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// x
	// 0
	// 1
}
