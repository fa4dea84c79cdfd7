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

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

func writing(opt WriteOptions, recs ...arrow.RecordBatch) ([]byte, error) {
	var out bytes.Buffer
	opt.Stdout = &out
	w, err := Create("-", recs[0].Schema(), opt)
	for _, rec := range recs {
		if err == nil {
			err = w.Write(rec)
		}
	}
	if err == nil {
		err = w.Commit()
	}
	return out.Bytes(), err
}

// written is writing without an error.
func written(t testing.TB, opt WriteOptions, recs ...arrow.RecordBatch) []byte {
	t.Helper()
	data, err := writing(opt, recs...)
	must.Succeed(t, err)
	return data
}

// record is a batch of columns of these names, with commas between them; those without nulls cannot
// have any.
func record(names string, columns ...arrow.Array) arrow.RecordBatch {
	var fields []arrow.Field
	for i, name := range strings.Split(names, ",") {
		fields = append(fields, arrow.Field{Name: name, Type: columns[i].DataType(),
			Nullable: columns[i].NullN() > 0})
	}
	return array.NewRecordBatch(arrow.NewSchema(fields, nil), columns, int64(columns[0].Len()))
}

// TestParquetMetadata: the metadata is in the footer and in the Arrow schema there, which is where
// Arrow's own readers look.
func TestParquetMetadata(t *testing.T) {
	rec := randomRecord(rand.New(rand.NewPCG(1, 2)), flatTypes(), 5)
	data := written(t, WriteOptions{Format: Parquet,
		Metadata: [][2]string{{"b", "1"}, {"a", "2"}}}, rec)
	f, err := file.NewParquetReader(bytes.NewReader(data))
	must.Succeed(t, err)
	defer f.Close()
	for key, want := range map[string]string{"a": "2", "b": "1"} {
		stored := *f.MetaData().KeyValueMetadata().FindValue("ARROW:schema")
		raw, _ := base64.StdEncoding.DecodeString(stored)
		r, err := ipc.NewReader(bytes.NewReader(raw))
		must.Succeed(t, err)
		in, _ := r.Schema().Metadata().GetValue(key)
		footer := f.MetaData().KeyValueMetadata().FindValue(key)
		if in != want || footer == nil || *footer != want {
			t.Errorf("%s: %q in the schema, %v in the footer", key, in, footer)
		}
	}
}

// TestParquetZones reads the time zones that the Arrow schema in the footer has; without one, or
// with a damaged one, times are in UTC.
func TestParquetZones(t *testing.T) {
	berlin := &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "Europe/Berlin"}
	file := written(t, WriteOptions{Format: Parquet}, record("x,when", numbers(1).Column(0),
		arrayOf(t, berlin, `["2024-07-01T22:30:00Z"]`)))
	for _, c := range []struct{ old, new, zone string }{
		{"ARROW:schema", "ARROW:schema", "Europe/Berlin"}, {"ARROW:schema", "ARROW:absent", "UTC"},
		{"/////", "!!!!!", "UTC"}, {"/////", "AAAAA", "UTC"}, {"/////", "AAAA/", "UTC"},
	} {
		r, err := OpenReader(bytes.NewReader(bytes.Replace(file, []byte(c.old), []byte(c.new), 1)),
			"x.parquet", ReadOptions{})
		must.Succeed(t, err)
		if zone := r.Schema().Field(1).Type.(*arrow.TimestampType).TimeZone; zone != c.zone {
			t.Errorf("%s for %s: times of %s, want %s", c.new, c.old, zone, c.zone)
		}
		must.Succeed(t, r.Close())
	}
}

// TestCreateRefuses checks what is refused before any work is done, and that nothing is left.
func TestCreateRefuses(t *testing.T) {
	dir := t.TempDir()
	must.Succeed(t, os.Symlink(filepath.Join(dir, "nowhere.csv"), filepath.Join(dir, "l.csv")))
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

// TestBatchesLeaveNoTrace writes the same rows in batches of different sizes.
func TestBatchesLeaveNoTrace(t *testing.T) {
	const rows = 2*ground.GroupRows + 77
	texts := array.NewStringBuilder(memory.DefaultAllocator)
	for i := range rows {
		if i%5 == 0 {
			texts.AppendNull()
		} else {
			texts.Append(string(rune('a' + i%26)))
		}
	}
	whole := record("x,s", numbers(rows).Column(0), texts.NewArray())
	for _, format := range []Format{Parquet, ArrowFile, ArrowStream, CSV} {
		want := writeInPieces(t, whole, format, func() int64 { return rows })
		random := rand.New(rand.NewPCG(1, 2))
		for name, size := range map[string]func() int64{
			"small":  func() int64 { return 1000 },
			"random": func() int64 { return 1 + random.Int64N(3*ground.GroupRows/2) },
		} {
			if got := writeInPieces(t, whole, format, size); !bytes.Equal(got, want) {
				t.Errorf("%v: %s batches give other bytes", format, name)
			}
		}
	}
}

func writeInPieces(t *testing.T, whole arrow.RecordBatch, format Format, size func() int64) []byte {
	t.Helper()
	var pieces []arrow.RecordBatch
	for first := int64(0); first < whole.NumRows(); {
		last := min(first+size(), whole.NumRows())
		pieces = append(pieces, whole.NewSlice(first, last))
		first = last
	}
	return written(t, WriteOptions{Format: format}, pieces...)
}

// TestEscapeFormulas writes texts that spreadsheets take for formulas beside numbers, as they are
// and escaped.
func TestEscapeFormulas(t *testing.T) {
	text := arrayOf(t, arrow.BinaryTypes.String,
		`["=1+1", "+x", "-5", "-5e3", "-x", "@a", "\tx", "\r", "＝1", "a=b", "", null, "+.5", "'=1"]`)
	number := arrayOf(t, arrow.PrimitiveTypes.Float64,
		`[-1,-2,-3,-4,-5,-6,-7,-8,-9,-10,-11,-12,-13,-14]`)
	rec := record("=name,n", text, number)
	for escape, want := range map[bool]string{
		false: "=name,n\n=1+1,-1\n+x,-2\n-5,-3\n-5e3,-4\n-x,-5\n@a,-6\n\"\tx\",-7\n\"\r\",-8\n＝1,-9\n" +
			"a=b,-10\n\"\",-11\n,-12\n+.5,-13\n'=1,-14\n",
		true: "'=name,n\n'=1+1,-1\n'+x,-2\n-5,-3\n-5e3,-4\n'-x,-5\n'@a,-6\n" +
			"'\tx,-7\n\"'\r\",-8\n'＝1,-9\n" +
			"a=b,-10\n\"\",-11\n,-12\n+.5,-13\n'=1,-14\n",
	} {
		if got := string(written(t, WriteOptions{EscapeFormulas: escape}, rec)); got != want {
			t.Errorf("escaped %t:\n%q, want\n%q", escape, got, want)
		}
	}
}
