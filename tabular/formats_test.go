package tabular

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
)

// TestEveryFormat walks the table of formats: what a row lacks, or shares with another one, fails
// here.
func TestEveryFormat(t *testing.T) {
	known := map[string]string{}
	only := func(row fileFormat, what, key string) {
		if other, twice := known[what+key]; twice || key == "" {
			t.Errorf("%s: the %s %q is empty, or that of %s", row.name, what, key, other)
		}
		known[what+key] = row.name
	}
	for _, row := range formats {
		only(row, "number", string(rune('0'+row.format)))
		for _, name := range append([]string{row.name}, row.also...) {
			only(row, "name", name)
			if got, err := ParseFormat(strings.ToUpper(name)); got != row.format || err != nil {
				t.Errorf("%s is read as %v, %v", name, got, err)
			}
		}
		if row.format == Auto || row.open == nil && row.create == nil || len(row.files) == 0 ||
			row.files[0].media == "" || row.format.String() != row.name {
			t.Errorf("%s: the row is not complete", row.name)
		}
		for _, file := range row.files {
			only(row, "extension", file.extension)
			if got := FormatOf("data/A.1" + strings.ToUpper(file.extension)); got != row.format {
				t.Errorf("%s is taken for %v", file.extension, got)
			}
			if file.media == "" {
				continue
			}
			only(row, "media type", file.media)
			if got, delimiter := FormatOfMedia(file.media); got != row.format ||
				delimiter != file.delimiter {
				t.Errorf("%s is taken for %v, %q", file.media, got, delimiter)
			}
		}
		if row.create != nil {
			testRow(t, row)
		}
	}
}

// testRow writes and reads a format.
func testRow(t *testing.T, row fileFormat) {
	t.Helper()
	rec := smallRecord(t)
	for _, file := range row.files {
		out, err := writing(WriteOptions{Format: row.format}, rec)
		if err != nil || len(out) == 0 {
			t.Fatalf("%s: %d bytes, %v", row.name, len(out), err)
		}
		if sniffed := sniff(out); row.open != nil && sniffed != row.format {
			t.Errorf("%s begins as %v does", row.name, sniffed)
		}
		if row.open == nil {
			continue
		}
		for _, name := range []string{"t" + file.extension, "t"} {
			testCells(t, name, row, out, rec)
		}
	}
}

// testCells compares what a file holds with a record.
func testCells(t *testing.T, name string, row fileFormat, file []byte, want arrow.RecordBatch) {
	t.Helper()
	opt := ReadOptions{Delimiter: delimiterFor(row.format)}
	r, err := OpenReader(bytes.NewReader(file), name, opt)
	if err != nil {
		t.Fatalf("%s as %s: %v", row.name, name, err)
	}
	defer r.Close()
	if r.Format() != row.format {
		t.Errorf("%s as %s is read as %v", row.name, name, r.Format())
	}
	table, err := r.ReadAll(context.Background())
	if err != nil || table.Rows != want.NumRows() || len(table.Names()) != int(want.NumCols()) {
		t.Fatalf("%s: %v", row.name, err)
	}
	for i, column := range table.Batches[0].Record.Columns() {
		for at := range column.Len() {
			got, text := column.ValueStr(at), want.Column(i).ValueStr(at)
			null := column.IsNull(at) || got == ""
			if null != want.Column(i).IsNull(at) || !null && got != text {
				t.Errorf("%s: column %d, row %d is %q, not %q", row.name, i, at, got, text)
			}
		}
	}
	piped := struct{ io.Reader }{bytes.NewReader(file)}
	if r, err := OpenReader(piped, name, opt); (err == nil) != row.format.Streamed() {
		t.Errorf("%s from a pipe: %v", row.name, err)
	} else if err == nil {
		r.Close()
	}
}

// smallRecord is numbers and texts, one of each missing.
func smallRecord(t testing.TB) arrow.RecordBatch {
	return record("n <1>,text", arrayOf(t, arrow.PrimitiveTypes.Float64, "[1.5, null, -2e-7]"),
		arrayOf(t, arrow.BinaryTypes.String, `["a & <b>", "naïve, \"x\"", null]`))
}

// The lists that texts are made of.
func TestFormatLists(t *testing.T) {
	got := either(FormatNames(Format.Read), "or")
	if got != "csv, parquet, arrow, arrows, jsonl or xlsx" {
		t.Errorf("read: %s", got)
	}
	if got := either(Extensions(Format.Written), "or"); !strings.HasPrefix(got,
		".csv, .tsv, .parquet") {
		t.Errorf("written: %s", got)
	}
	if slices.Contains(MediaTypes(Format.Written), "application/x-ndjson") {
		t.Error("JSON lines are written")
	}
}
