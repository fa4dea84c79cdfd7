package tabular

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/pfnamp/pfnamp/internal/must"
)

// encodings is one table in every format, by file name.
func encodings(t *testing.T) map[string][]byte {
	rec := wide(100)
	files := make(map[string][]byte)
	for name, format := range map[string]Format{"t.csv": CSV, "t.parquet": Parquet,
		"t.arrow": ArrowFile, "t.arrows": ArrowStream} {
		files[name] = written(t, WriteOptions{Format: format}, rec)
	}
	files["t.csv.gz"] = []byte(packGzip(t, bytes.NewReader(files["t.csv"])))
	files["t.csv.zst"] = []byte(packZstd(t, bytes.NewReader(files["t.csv"])))
	return files
}

func dump(in io.Reader, name string) (string, error) {
	table, err := readFrom(in, name, ReadOptions{BatchRows: 30})
	if err != nil {
		return "", err
	}
	var s strings.Builder
	for _, b := range table.Batches {
		for _, c := range b.Record.Columns() {
			for i := range b.Rows() {
				s.WriteString(c.ValueStr(i) + "|")
			}
		}
	}
	return s.String(), nil
}

// TestOpenReader reads a table in every format from a file, from memory, from the middle of
// something larger, and from a pipe.
func TestOpenReader(t *testing.T) {
	for name, data := range encodings(t) {
		path := filepath.Join(t.TempDir(), name)
		must.Succeed(t, os.WriteFile(path, data, 0o666))
		file, err := os.Open(path)
		must.Succeed(t, err)
		defer file.Close()
		want, err := dump(file, name)
		if err != nil || strings.Count(want, "|") != 2000 {
			t.Fatalf("%s: %d cells, error %v", name, strings.Count(want, "|"), err)
		}
		if _, err := file.Stat(); err != nil {
			t.Errorf("%s: the file is closed: %v", name, err)
		}
		larger := io.NewSectionReader(bytes.NewReader(append([]byte("junk"), data...)), 0,
			int64(4+len(data)))
		if _, err := larger.Seek(4, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		pipe := iotest.OneByteReader(bytes.NewReader(data))
		for source, in := range map[string]io.Reader{"memory": bytes.NewReader(data),
			"part": larger, "pipe": pipe} {
			got, err := dump(in, name)
			switch refused := name == "t.parquet" || name == "t.arrow"; {
			case source == "pipe" && refused:
				checkError(t, err, name+": a file of format "+FormatOf(name).String()+
					" cannot be read from a pipe")
			case err != nil || got != want:
				t.Errorf("%s from %s: error %v, or other cells", name, source, err)
			}
		}
	}
}

// TestOpenReaderFails checks that what an input reports is not lost, and that no guard is.
func TestOpenReaderFails(t *testing.T) {
	cause := errors.New("connection reset")
	for name, head := range map[string]string{"t.csv": "a,b\n1,2\n", "t.arrows": "", "t": ""} {
		in := io.MultiReader(strings.NewReader(head), iotest.ErrReader(cause))
		if _, err := dump(in, name); !errors.Is(err, cause) ||
			!strings.HasPrefix(err.Error(), name+": ") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for name, data := range encodings(t) {
		_, err := dump(bytes.NewReader(data[:len(data)*2/3]), name)
		if e, ok := err.(*Error); (!ok || e.File != name) && name != "t.arrows" {
			t.Errorf("%s, cut off: %v", name, err)
		}
	}
}
