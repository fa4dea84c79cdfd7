package tabular

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"pgregory.net/rapid"
)

// numbers is a batch of one column, x, of n rows from 0.
func numbers(n int) arrow.RecordBatch {
	b := array.NewFloat64Builder(memory.DefaultAllocator)
	for i := range n {
		b.Append(float64(i))
	}
	schema := arrow.NewSchema([]arrow.Field{{Name: "x", Type: arrow.PrimitiveTypes.Float64}}, nil)
	return array.NewRecordBatch(schema, []arrow.Array{b.NewArray()}, int64(n))
}

// TestAppearsComplete checks that a file appears with Commit, and that a failure leaves the old
// file and nothing else.
func TestAppearsComplete(t *testing.T) {
	rec := numbers(3)
	for _, name := range []string{"t.csv", "t.csv.gz", "t.tsv.zst", "t.parquet", "t.arrow",
		"t.arrows"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("old"), 0o640); err != nil {
			t.Fatal(err)
		}
		for _, commit := range []bool{false, true} {
			w, err := Create(path, rec.Schema(), WriteOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Write(rec); err != nil {
				t.Fatal(err)
			}
			if data, _ := os.ReadFile(path); string(data) != "old" {
				t.Errorf("%s: changed before Commit", name)
			}
			if commit {
				err = w.Commit()
			}
			if err := errors.Join(err, w.Abort()); err != nil {
				t.Fatal(err)
			}
		}
		entries, err := os.ReadDir(dir)
		info, err2 := os.Stat(path)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
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

// TestLinkTarget checks that a file behind a link is replaced, not the link.
func TestLinkTarget(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "real.csv"), filepath.Join(dir, "link.csv")
	err := errors.Join(os.WriteFile(target, nil, 0o666), os.Symlink("real.csv", link))
	if err != nil {
		t.Fatal(err)
	}
	w, err := Create(link, numbers(1).Schema(), WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(numbers(2)), w.Commit()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(target)
	info, err2 := os.Lstat(link)
	if errors.Join(err, err2) != nil || string(data) != "x\n0\n1\n" ||
		info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("behind the link: %q, link %v", data, info.Mode())
	}
}

// failingWriter fails after some bytes.
type failingWriter struct {
	left int
	err  error
}

// Write takes what fits.
func (f *failingWriter) Write(p []byte) (int, error) {
	if len(p) > f.left {
		return f.left, f.err
	}
	f.left -= len(p)
	return len(p), nil
}

// TestWriteFails checks that a full disk and a closed pipe are errors that name the output, at
// the latest from Commit.
func TestWriteFails(t *testing.T) {
	for _, cause := range []error{syscall.ENOSPC, syscall.EPIPE} {
		for _, format := range []Format{CSV, Parquet, ArrowFile, ArrowStream} {
			for _, room := range []int{0, 500, 100_000} {
				rec := wide(20_000)
				w, err := Create("-", rec.Schema(), WriteOptions{Format: format,
					Stdout: &failingWriter{room, cause}})
				if err == nil {
					err = errors.Join(w.Write(rec), w.Commit())
				}
				var e *Error
				if !errors.Is(err, cause) || !errors.As(err, &e) || e.File != "stdout" {
					t.Errorf("%s with %d bytes of room: %v", format, room, err)
				}
			}
		}
	}
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full")
	}
	w, err := Create("/dev/full", numbers(1).Schema(), WriteOptions{Format: CSV})
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(w.Write(numbers(1)), w.Commit())
	if !errors.Is(err, syscall.ENOSPC) || !strings.HasPrefix(err.Error(), "/dev/full: ") {
		t.Errorf("/dev/full: %v", err)
	}
}

// TestWriteAfterError checks that an error sticks and that the file does not appear.
func TestWriteAfterError(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "t.csv")
	w, err := Create(path, numbers(1).Schema(), WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	other := array.NewRecordBatch(arrow.NewSchema([]arrow.Field{
		{Name: "y", Type: arrow.PrimitiveTypes.Float64}}, nil), numbers(1).Columns(), 1)
	if w.Write(other) == nil || w.Write(numbers(1)) == nil || w.Commit() == nil {
		t.Error("no error after a batch of other columns")
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("left in the folder: %v", entries)
	}
}

// TestReadOnlyFolder checks that a folder without permission is refused early.
func TestReadOnlyFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write anywhere")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	_, err := Create(filepath.Join(dir, "t.csv"), numbers(1).Schema(), WriteOptions{})
	if err == nil || !strings.Contains(err.Error(), "not writable") {
		t.Errorf("read-only folder: %v", err)
	}
}

// TestSameFile checks the comparison of paths.
func TestSameFile(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	err := errors.Join(os.WriteFile(at("a"), nil, 0o666), os.WriteFile(at("b"), nil, 0o666),
		os.Symlink(at("a"), at("soft")), os.Link(at("a"), at("hard")),
		os.Symlink(dir, at("folder")))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{at("a"), at("a"), true}, {at("a"), at("soft"), true}, {at("a"), at("hard"), true},
		{at("a"), at("b"), false}, {at("a"), at("folder/../a"), true},
		{at("new"), at("new"), true}, {at("new"), at("folder/new"), true},
		{at("new"), at("a"), false}, {at("new"), at("newer"), false}, {"-", "-", false},
	} {
		same, err := SameFile(c.a, c.b)
		if err != nil || same != c.same {
			t.Errorf("%s and %s: %v, %v", c.a, c.b, same, err)
		}
	}
}

// TestTextRoundTrip checks that any text and any number read back the same from every delimited
// format.
func TestTextRoundTrip(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.StringOf(rapid.Rune().Filter(func(r rune) bool {
			return r != 0 && r != '\ufffd'
		})), 1, 20).Draw(t, "texts")
		values := rapid.SliceOfN(rapid.Float64(), len(texts), len(texts)).Draw(t, "values")
		name := rapid.SampledFrom([]string{"t.csv", "t.tsv", "t.ssv", "t.csv.gz",
			"t.tab.zst"}).Draw(t, "name")
		s := array.NewStringBuilder(memory.DefaultAllocator)
		f := array.NewFloat64Builder(memory.DefaultAllocator)
		s.AppendValues(texts, nil)
		f.AppendValues(values, nil)
		rec := array.NewRecordBatch(arrow.NewSchema([]arrow.Field{
			{Name: "te,x;t", Type: arrow.BinaryTypes.String},
			{Name: "v\t", Type: arrow.PrimitiveTypes.Float64}}, nil),
			[]arrow.Array{s.NewArray(), f.NewArray()}, int64(len(texts)))
		var out bytes.Buffer
		w, err := Create("-", rec.Schema(), WriteOptions{Stdout: &out,
			Delimiter: writeDelimiter(name, WriteOptions{})})
		if err == nil {
			err = errors.Join(w.Write(rec), w.Commit())
		}
		path := filepath.Join(dir, strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst"))
		if err = errors.Join(err, os.WriteFile(path, out.Bytes(), 0o666)); err != nil {
			t.Fatal(err)
		}
		table, err := ReadAll(t.Context(), path, ReadOptions{
			Delimiter: writeDelimiter(name, WriteOptions{})})
		if err != nil {
			t.Fatalf("%v\n%q", err, out.String())
		}
		if table.Rows != int64(len(texts)) {
			t.Fatalf("%d rows, want %d", table.Rows, len(texts))
		}
		row := 0
		for _, b := range table.Batches {
			for i := range b.Rows() {
				text := b.Record.Column(0).(*array.String).Value(i)
				v, _ := strconv.ParseFloat(b.Record.Column(1).(*array.String).Value(i), 64)
				if text != texts[row] || math.Float64bits(v) != math.Float64bits(values[row]) {
					t.Errorf("row %d: %q %v, want %q %v", row, text, v, texts[row],
						values[row])
				}
				row++
			}
		}
	})
}

// TestCSVTypes shows how each type is written.
func TestCSVTypes(t *testing.T) {
	for _, c := range []struct {
		t          arrow.DataType
		json, want string
	}{
		{arrow.FixedWidthTypes.Boolean, `[true, null]`, "true\n\"\"\n"},
		{arrow.PrimitiveTypes.Uint64, `[18446744073709551615]`, "18446744073709551615\n"},
		{arrow.PrimitiveTypes.Int8, `[-128]`, "-128\n"},
		{arrow.FixedWidthTypes.Date32, `["2024-02-29"]`, "2024-02-29\n"},
		{&arrow.TimestampType{Unit: arrow.Millisecond}, `["2024-02-29T01:02:03.004"]`,
			"2024-02-29T01:02:03.004\n"},
		{arrow.FixedWidthTypes.Timestamp_us, `["2024-02-29T01:02:03Z"]`,
			"2024-02-29T01:02:03Z\n"},
		{&arrow.Decimal128Type{Precision: 20, Scale: 2}, `["1.50", "-123456789012345678.25"]`,
			"1.50\n-123456789012345678.25\n"},
		{arrow.BinaryTypes.String, `["", "a", "a,b", "say \"hi\"", " b", null, "1\n2"]`,
			"\"\"\na\n\"a,b\"\n\"say \"\"hi\"\"\"\n\" b\"\n\"\"\n\"1\n2\"\n"},
		{arrow.BinaryTypes.Binary, `["AAE="]`, "AAE=\n"},
		{&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8,
			ValueType: arrow.BinaryTypes.String}, `["b", "a", "b"]`, "b\na\nb\n"},
	} {
		column, _, err := array.FromJSON(memory.DefaultAllocator, c.t, strings.NewReader(c.json))
		if err != nil {
			t.Fatal(err)
		}
		schema := arrow.NewSchema([]arrow.Field{{Name: "x", Type: c.t, Nullable: true}}, nil)
		var out bytes.Buffer
		w, err := Create("-", schema, WriteOptions{Stdout: &out})
		if err != nil {
			t.Fatal(err)
		}
		rec := array.NewRecordBatch(schema, []arrow.Array{column}, int64(column.Len()))
		if err := errors.Join(w.Write(rec), w.Commit()); err != nil {
			t.Fatal(err)
		}
		if out.String() != "x\n"+c.want {
			t.Errorf("%s: %q, want %q", c.t, out.String(), "x\n"+c.want)
		}
	}
}

// TestNoRows checks that a table without rows keeps its columns.
func TestNoRows(t *testing.T) {
	for _, format := range []Format{CSV, Parquet, ArrowFile, ArrowStream} {
		path := filepath.Join(t.TempDir(), "t")
		w, err := Create(path, numbers(0).Schema(), WriteOptions{Format: format})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Write(numbers(0)), w.Commit()); err != nil {
			t.Fatal(err)
		}
		table, err := ReadAll(t.Context(), path, ReadOptions{Format: format, Delimiter: ','})
		if err != nil || table.Rows != 0 || fmt.Sprint(table.Names()) != "[x]" {
			t.Errorf("%s: %v", format, err)
		}
	}
}

// wide is a batch of twenty columns of numbers.
func wide(rows int) arrow.RecordBatch {
	var fields []arrow.Field
	var columns []arrow.Array
	for i := range 20 {
		b := array.NewFloat64Builder(memory.DefaultAllocator)
		for row := range rows {
			b.Append(math.Sin(float64(row*20 + i)))
		}
		fields = append(fields, arrow.Field{Name: fmt.Sprint("x", i), Type: b.Type()})
		columns = append(columns, b.NewArray())
	}
	return array.NewRecordBatch(arrow.NewSchema(fields, nil), columns, int64(rows))
}

// BenchmarkWrite measures the writing of twenty columns of numbers; bytes are those in memory.
func BenchmarkWrite(b *testing.B) {
	for _, format := range []Format{CSV, Parquet, ArrowFile, ArrowStream} {
		b.Run(format.String(), func(b *testing.B) {
			rec := wide(DefaultBatchRows)
			b.SetBytes(int64(DefaultBatchRows * 20 * 8))
			for b.Loop() {
				w, err := Create("-", rec.Schema(), WriteOptions{Format: format,
					Stdout: io.Discard})
				if err != nil {
					b.Fatal(err)
				}
				if err := errors.Join(w.Write(rec), w.Commit()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkReadColumnar measures the reading of twenty columns of numbers; bytes are those in
// memory.
func BenchmarkReadColumnar(b *testing.B) {
	for _, format := range []Format{Parquet, ArrowFile, ArrowStream} {
		b.Run(format.String(), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "t")
			rec := wide(16 * DefaultBatchRows)
			w, err := Create(path, rec.Schema(), WriteOptions{Format: format})
			if err != nil {
				b.Fatal(err)
			}
			if err := errors.Join(w.Write(rec), w.Commit()); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(rec.NumRows() * 20 * 8)
			for b.Loop() {
				table, err := ReadAll(b.Context(), path, ReadOptions{Format: format})
				if err != nil || table.Rows != rec.NumRows() {
					b.Fatal(table, err)
				}
			}
		})
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
