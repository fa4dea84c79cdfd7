package tabular

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/pfnamp/pfnamp/internal/must"
)

// victims are well-formed files of each columnar format, in all codecs and encodings.
func victims(t testing.TB) map[string][]byte {
	rec := randomRecord(rand.New(rand.NewPCG(7, 7)), flatTypes(), 120)
	out := make(map[string][]byte)
	for _, format := range []Format{Parquet, ArrowFile, ArrowStream} {
		out["plain."+format.String()] = written(t, WriteOptions{Format: format}, rec)
	}
	out["views.arrows"] = written(t, WriteOptions{Format: ArrowStream}, randomRecord(
		rand.New(rand.NewPCG(7, 8)), []arrow.DataType{arrow.BinaryTypes.StringView,
			arrow.BinaryTypes.BinaryView}, 120))
	for name, option := range map[string]ipc.Option{"zstd": ipc.WithZstd(), "lz4": ipc.WithLZ4()} {
		var b bytes.Buffer
		w := ipc.NewWriter(&b, ipc.WithSchema(rec.Schema()), option)
		must.Succeed(t, errors.Join(w.Write(rec), w.Close()))
		out[name+".arrows"] = b.Bytes()
	}
	for _, v := range []struct {
		name     string
		codec    compress.Compression
		encoding parquet.Encoding
		page     parquet.DataPageVersion
	}{
		{"snappy", compress.Codecs.Snappy, parquet.Encodings.DeltaByteArray, parquet.DataPageV1},
		{"gzip", compress.Codecs.Gzip, parquet.Encodings.DeltaLengthByteArray, parquet.DataPageV2},
		{"none", compress.Codecs.Uncompressed, parquet.Encodings.Plain, parquet.DataPageV2},
		{"brotli", compress.Codecs.Brotli, parquet.Encodings.DeltaByteArray, parquet.DataPageV2},
	} {
		texts := randomRecord(rand.New(rand.NewPCG(3, 3)),
			[]arrow.DataType{arrow.BinaryTypes.String, arrow.BinaryTypes.Binary}, 200)
		out[v.name+".parquet"] = parquetFile(t, texts, parquet.WithCompression(v.codec),
			parquet.WithEncoding(v.encoding), parquet.WithDataPageVersion(v.page),
			parquet.WithDictionaryDefault(false))
	}
	return out
}

// parquetFile is a Parquet file of a record, by the writer of another package.
func parquetFile(t testing.TB, rec arrow.RecordBatch, options ...parquet.WriterProperty) []byte {
	t.Helper()
	return repeatedFile(t, 1, rec, options...)
}

// repeatedFile is a Parquet file with the rows of a record so many times.
func repeatedFile(t testing.TB, times int, rec arrow.RecordBatch,
	options ...parquet.WriterProperty,
) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := pqarrow.NewFileWriter(rec.Schema(), &out, parquet.NewWriterProperties(options...),
		pqarrow.DefaultWriterProps())
	for range times {
		if err == nil {
			err = w.WriteBuffered(rec)
		}
	}
	if err == nil {
		err = w.Close()
	}
	must.Succeed(t, err)
	return out.Bytes()
}

// readMutants writes mutants to files and reads them in a child process.
func readMutants(t *testing.T, format Format, mutants map[string][]byte) map[string]fileResult {
	dir := t.TempDir()
	var paths []string
	for name, data := range mutants {
		path := filepath.Join(dir, name)
		must.Succeed(t, os.WriteFile(path, data, 0o666))
		paths = append(paths, path)
	}
	return readFiles(t, format, paths)
}

// TestTruncated cuts files off at every fiftieth: an error, but for a stream that is cut
// between two messages.
func TestTruncated(t *testing.T) {
	for name, data := range victims(t) {
		format, _ := ParseFormat(strings.TrimPrefix(filepath.Ext(name), "."))
		mutants := map[string][]byte{"empty": nil, "whole": data, "magic": data[:4]}
		for i := range 50 {
			mutants[fmt.Sprint("cut", i)] = data[:len(data)*i/50]
		}
		mutants["last"] = data[:len(data)-1]
		for path, res := range readMutants(t, format, mutants) {
			whole := filepath.Base(path) == "whole"
			if whole && (res.Error != "" || res.Rows < 120) {
				t.Errorf("%s: whole file: %d rows, %s", name, res.Rows, res.Error)
			}
			if !whole && res.Error == "" && format != ArrowStream {
				t.Errorf("%s: %s: %d rows and no error", name, filepath.Base(path), res.Rows)
			}
		}
	}
}
