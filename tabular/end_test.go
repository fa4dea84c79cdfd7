package tabular

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// labelled is an Arrow stream with a column of texts in a dictionary, one batch per argument.
func labelled(t *testing.T, batches ...[]string) []byte {
	t.Helper()
	kind := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8,
		ValueType: arrow.BinaryTypes.String}
	schema := arrow.NewSchema([]arrow.Field{{Name: "s", Type: kind}}, nil)
	var out bytes.Buffer
	w := ipc.NewWriter(&out, ipc.WithSchema(schema), ipc.WithDictionaryDeltas(false))
	for _, texts := range batches {
		b := array.NewDictionaryBuilder(memory.DefaultAllocator, kind).(*array.BinaryDictionaryBuilder)
		for _, text := range texts {
			must.Succeed(t, b.AppendString(text))
		}
		rec := array.NewRecordBatch(schema, []arrow.Array{b.NewArray()}, int64(len(texts)))
		must.Succeed(t, w.Write(rec))
	}
	must.Succeed(t, w.Close())
	return out.Bytes()
}

var endMarker = []byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}

// TestBehindStream refuses what follows a stream, another stream too.
func TestBehindStream(t *testing.T) {
	data := labelled(t, []string{"a", "b"})
	for name, behind := range map[string][]byte{"text": []byte("\n"), "stream": data,
		"text, long": []byte(strings.Repeat("1,2,3\n", 20)), "zeros": make([]byte, 8)} {
		_, err := dump(bytes.NewReader(slices.Concat(data, behind)), "t.arrows")
		if name == "zeros" && err == nil {
			continue
		}
		checkError(t, err, "t.arrows: row 3: the input holds more than one Arrow table")
	}
}

// TestWithoutMarker reads streams that end between two batches: as the format allows, with a note
// of the number of rows, or refused.
func TestWithoutMarker(t *testing.T) {
	whole := labelled(t, []string{"a", "b"}, []string{"c"})
	for rows, data := range map[int][]byte{
		3: whole[:len(whole)-len(endMarker)], 0: labelled(t)[:len(labelled(t))-len(endMarker)],
	} {
		r, err := OpenReader(bytes.NewReader(data), "t.arrows", ReadOptions{})
		must.Succeed(t, err)
		if len(r.Notes()) > 0 {
			t.Errorf("notes before the end: %q", r.Notes())
		}
		table, err := r.ReadAll(t.Context())
		want := fmt.Sprintf("the Arrow stream ends without its end marker, after %s",
			ground.Count(rows, "row"))
		if err != nil || len(table.Notes) != 1 || !strings.HasPrefix(table.Notes[0], want) ||
			!slices.Equal(table.Notes, r.Notes()) {
			t.Errorf("%d rows: %v, %v", rows, table, err)
		}
		if _, err := r.Next(t.Context()); err != io.EOF || len(r.Notes()) != 1 {
			t.Errorf("after the end: %v, %q", err, r.Notes())
		}
		r, err = OpenReader(bytes.NewReader(data), "t.arrows", ReadOptions{RequireEOS: true})
		must.Succeed(t, err)
		_, err = r.ReadAll(t.Context())
		if err == nil || err.Error() != "t.arrows: "+want {
			t.Errorf("%d rows, with the marker required: %v", rows, err)
		}
	}
	r, err := OpenReader(bytes.NewReader(whole), "t.arrows", ReadOptions{RequireEOS: true})
	must.Succeed(t, err)
	if table, err := r.ReadAll(t.Context()); err != nil || table.Rows != 3 || len(table.Notes) > 0 {
		t.Errorf("with its marker: %v", err)
	}
}

// TestFilesTogether: several files in one are refused if the footer lists only the last one.
func TestFilesTogether(t *testing.T) {
	files := encodings(t)
	for _, name := range []string{"t.arrow", "t.parquet"} {
		for _, data := range [][]byte{
			slices.Concat(files[name], files[name]),
			slices.Concat(files[name], files[name], files[name]),
		} {
			if _, err := dump(bytes.NewReader(data), name); err == nil {
				t.Errorf("%s: several files in one are read as one", name)
			}
		}
	}
	for _, name := range []string{"t.csv.gz", "t.csv.zst"} { // whole: the header is a row
		twice := slices.Concat(files[name], files[name])
		got, err := dump(bytes.NewReader(twice), name)
		once, err2 := dump(bytes.NewReader(files[name]), name)
		if err != nil || err2 != nil || len(got) <= 2*len(once) {
			t.Errorf("%s: %d bytes of cells of %d, %v, %v", name, len(got), 2*len(once), err, err2)
		}
	}
}

// TestShorter makes files shorter while they are read: no row is missing without an error.
func TestShorter(t *testing.T) {
	rec := wide(10_000)
	for name, format := range map[string]Format{"t.csv": CSV, "t.csv.gz": CSV, "t.csv.zst": CSV,
		"t.parquet": Parquet, "t.arrow": ArrowFile, "t.arrows": ArrowStream} {
		path := filepath.Join(t.TempDir(), name)
		w, err := Create(path, rec.Schema(), WriteOptions{Format: format})
		if err == nil {
			err = errors.Join(w.Write(rec), w.Commit())
		}
		whole, err2 := os.ReadFile(path)
		must.Succeed(t, errors.Join(err, err2))
		for _, share := range []float64{0, 0.6, 0.999} {
			size := int64(share * float64(len(whole)))
			if format == CSV { // at the end of a row
				size = int64(bytes.LastIndexByte(whole[:size], '\n') + 1)
			}
			must.Succeed(t, os.WriteFile(path, whole, 0o600))
			rows, err := readShortened(t, path, size)
			var e *Error
			switch {
			case err == nil && rows != rec.NumRows():
				t.Errorf("%s, %d of %d bytes: %d rows and no error", name, size, len(whole), rows)
			case err != nil && (!errors.As(err, &e) || e.File != path):
				t.Errorf("%s, %d of %d bytes: error %v", name, size, len(whole), err)
			}
			if format == CSV && (e == nil || e.Hint != ground.ShorterHint) {
				t.Errorf("%s, %d of %d bytes: error %v", name, size, len(whole), err)
			}
		}
	}
}

// readShortened reads a file that loses its end after the first batch.
func readShortened(t *testing.T, path string, size int64) (rows int64, err error) {
	r, err := Open(path, ReadOptions{BatchRows: 100})
	must.Succeed(t, err)
	defer r.Close()
	for {
		b, err := r.Next(t.Context())
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return rows, err
		}
		if rows == 0 {
			must.Succeed(t, os.Truncate(path, size))
		}
		rows += int64(b.Rows())
	}
}

// TestShorterArrowFile cuts an Arrow file everywhere, between two batches too, after the first.
func TestShorterArrowFile(t *testing.T) {
	rec := numbers(100)
	var whole bytes.Buffer
	w, err := ipc.NewFileWriter(&whole, ipc.WithSchema(rec.Schema()))
	must.Succeed(t, err)
	must.Succeed(t, errors.Join(w.Write(rec), w.Write(rec), w.Write(rec), w.Close()))
	path := filepath.Join(t.TempDir(), "t.arrow")
	for size := 0; size < whole.Len(); size += 8 {
		must.Succeed(t, os.WriteFile(path, whole.Bytes(), 0o600))
		if rows, err := readShortened(t, path, int64(size)); err == nil && rows != 300 {
			t.Errorf("%d of %d bytes: %d rows and no error", size, whole.Len(), rows)
		}
	}
}
