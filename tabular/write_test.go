package tabular

import (
	"bytes"
	"encoding/base64"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	arrowreader "github.com/pfnamp/pfnamp/tabular/internal/arrow"
	"github.com/pfnamp/pfnamp/tabular/internal/ground"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/parquet/file"
)

// TestWriteDeterministic writes the same batches twice and compares the bytes.
func TestWriteDeterministic(t *testing.T) {
	for _, format := range []Format{CSV, Parquet, ArrowFile, ArrowStream} {
		var outputs [2]bytes.Buffer
		for i := range outputs {
			rec := randomRecord(rand.New(rand.NewPCG(1, 2)), flatTypes(), 500)
			w, err := Create("-", rec.Schema(), WriteOptions{Format: format,
				Stdout: &outputs[i], Metadata: [][2]string{{"b", "1"}, {"a", "2"}}})
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(w.Write(rec), w.Write(rec), w.Commit()); err != nil {
				t.Fatal(err)
			}
		}
		if outputs[0].Len() == 0 || !bytes.Equal(outputs[0].Bytes(), outputs[1].Bytes()) {
			t.Errorf("%s: two runs differ or are empty", format)
		}
	}
}

// TestParquetMetadata: the metadata is in the footer and in the Arrow schema there, which is where
// Arrow's own readers look.
func TestParquetMetadata(t *testing.T) {
	var b bytes.Buffer
	rec := randomRecord(rand.New(rand.NewPCG(1, 2)), flatTypes(), 5)
	w, err := Create("-", rec.Schema(), WriteOptions{Format: Parquet, Stdout: &b,
		Metadata: [][2]string{{"b", "1"}, {"a", "2"}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(rec), w.Commit()); err != nil {
		t.Fatal(err)
	}
	f, err := file.NewParquetReader(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for key, want := range map[string]string{"a": "2", "b": "1"} {
		stored := *f.MetaData().KeyValueMetadata().FindValue("ARROW:schema")
		raw, _ := base64.StdEncoding.DecodeString(stored)
		schema, err := arrowreader.ReadSchema(raw)
		if err != nil {
			t.Fatal(err)
		}
		in, _ := schema.Metadata().GetValue(key)
		footer := f.MetaData().KeyValueMetadata().FindValue(key)
		if in != want || footer == nil || *footer != want {
			t.Errorf("%s: %q in the schema, %v in the footer", key, in, footer)
		}
	}
}

// TestNullColumnAsText: a column without values, as pandas writes one of None, has empty cells.
func TestNullColumnAsText(t *testing.T) {
	var b bytes.Buffer
	rec := array.NewRecordBatch(arrow.NewSchema([]arrow.Field{{Name: "a", Type: arrow.Null},
		{Name: "b", Type: arrow.Null}}, nil), []arrow.Array{array.NewNull(2), array.NewNull(2)}, 2)
	w, err := Create("-", rec.Schema(), WriteOptions{Format: CSV, Stdout: &b})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(rec), w.Commit()); err != nil || b.String() != "a,b\n,\n,\n" {
		t.Errorf("%q, error %v", b.String(), err)
	}
}

// TestCreateRefuses checks what is refused before any work is done, and that nothing is left.
func TestCreateRefuses(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(dir, "nowhere.csv"), filepath.Join(dir, "l.csv")); err != nil {
		t.Fatal(err)
	}
	field := func(names ...string) *arrow.Schema {
		var fields []arrow.Field
		for _, n := range names {
			fields = append(fields, arrow.Field{Name: n, Type: arrow.PrimitiveTypes.Int64})
		}
		return arrow.NewSchema(fields, nil)
	}
	unsupported := arrow.NewSchema([]arrow.Field{{Name: "u",
		Type: ground.NewUnsupported("list<a>")}}, nil)
	for _, c := range []struct {
		path   string
		schema *arrow.Schema
		opt    WriteOptions
		want   string
	}{
		{dir, field("a"), WriteOptions{Format: CSV}, "is a folder"},
		{filepath.Join(dir, "no", "x.csv"), field("a"), WriteOptions{}, "does not exist"},
		{filepath.Join(dir, "x.doc"), field("a"), WriteOptions{}, "extension does not imply a format"},
		{filepath.Join(dir, "x"), field("a"), WriteOptions{}, "extension does not imply a format"},
		{filepath.Join(dir, "l.csv"), field("a"), WriteOptions{}, "is a link"},
		{filepath.Join(dir, "x.csv"), field("a", "a"), WriteOptions{}, "more than once"},
		{filepath.Join(dir, "x.csv"), unsupported, WriteOptions{}, "list<a>"},
		{filepath.Join(dir, "x.parquet.gz"), field("a"), WriteOptions{Format: Parquet},
			" as .gz"},
		{filepath.Join(dir, "x.csv"), field("a"), WriteOptions{Delimiter: '"'}, "delimiter"},
		{filepath.Join(dir, "x.xlsm"), field("a"), WriteOptions{}, "reads files named .xlsm, but"},
		{filepath.Join(dir, "x.xlsx.gz"), field("a"), WriteOptions{}, " as .gz"},
		{"-", field("a"), WriteOptions{}, "standard output is not available"},
	} {
		w, err := Create(c.path, c.schema, c.opt)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) || w != nil {
			t.Errorf("%s: error %v, want %q", c.path, err, c.want)
		} else if c.path != "-" && e.File != c.path {
			t.Errorf("%s: error names %q", c.path, e.File)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("left in the folder: %v %v", entries, err)
	}
}
