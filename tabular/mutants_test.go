package tabular

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

var mutants = flag.Int("mutants", 150, "damaged files that TestMutants reads of every victim")

var mutantSeed = flag.Uint64("mutant-seed", 5, "seed of the damage that TestMutants does")

// foreign are words of Go and its libraries that no message about a table may have.
var foreign = []string{"runtime error", "slice bounds", "index out of range", "nil pointer",
	"makeslice", "interface conversion", "invalid memory", "EOF", "reflect", "strconv", "goroutine",
	"panic", "%!", "parquet.", "parquet: ", "arrow/", "flatbuf", "zip: ", "gzip: ", "zstd: " +
		"", "flate: ",
	"brotli: ", "snappy: ", "s2: ", "lz4: ", "CRC", "json: ", "XML", "thrift", "UNSET", "error " +
		"reading",
	"Required field", "utf8", "monotonic", "out of bounds", "eof", "syntax error", "invalid input",
	"invalid character", "unexpected end"}

// checkWords looks for Go's words in an error, and for the name of the file.
func checkWords(err error) error {
	if err == nil {
		return nil
	}
	e, ok := errors.AsType[*Error](err)
	for _, word := range foreign {
		if ok && strings.Contains(strings.TrimPrefix(err.Error(), e.File), word) {
			return fmt.Errorf("message %q says %q", err, word)
		}
	}
	if !ok || e.File == "" || e.Msg == "" && e.Err == nil {
		return fmt.Errorf("message %q names no file, or nothing that is wrong with it", err)
	}
	return nil
}

func readBytes(data []byte, name string, format Format) error {
	r, err := OpenReader(bytes.NewReader(data), name, ReadOptions{Format: format,
		Delimiter: delimiterFor(format)})
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		b, err := r.Next(context.Background())
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, c := range b.Record.Columns() {
			for row := range c.Len() {
				_ = c.ValueStr(row)
			}
		}
	}
}

// mutate damages a file in one of the ways in which files are damaged, mostly in its metadata.
func mutate(r *rand.Rand, data []byte) []byte {
	m := bytes.Clone(data)
	at := r.IntN(len(m))
	if r.IntN(2) == 0 { // metadata is mostly at the end of Parquet and Arrow files
		at = len(m) - 1 - r.IntN(min(len(m), 3000))
	}
	switch r.IntN(6) {
	case 0:
		return m[:at]
	case 1:
		return append(m[:at], m[min(len(m), at+1+r.IntN(16)):]...)
	case 2:
		more := bytes.Repeat([]byte{byte(r.Uint32())}, 1+r.IntN(8))
		return slices.Insert(m, at, more...)
	case 3: // a count that is wrong by far
		for i := range min(4, len(m)-at) {
			m[at+i] = []byte{0xff, 0x7f, 0, 0x80}[r.IntN(4)]
		}
	default:
		for range 1 + r.IntN(3) {
			m[at] ^= byte(1 + r.IntN(255))
			at = min(len(m)-1, at+r.IntN(8))
		}
	}
	return m
}

// packed adds text that is compressed, and JSON lines.
func packed(t testing.TB, out map[string][]byte) {
	text := strings.Repeat("a,b,c\n1.5,x,\"é\"\n2,,z\n", 300)
	object := strings.Repeat(`{"a": 1.5, "b": "x\u00e9", "c": null}`+"\n", 300)
	for name, plain := range map[string]string{"t.csv.gz": text, "t.csv.zst": text,
		"t.jsonl.gz": object, "t.jsonl": object} {
		data := plain
		switch _, extension := stripCompression(name); extension {
		case ".gz":
			data = packGzip(t, strings.NewReader(plain))
		case ".zst":
			data = packZstd(t, strings.NewReader(plain))
		}
		out[name] = []byte(data)
	}
}

// TestMutants reads damaged files: every error is in words of this package. To read many more:
// go test ./tabular -run TestMutants -mutants 10000.
func TestMutants(t *testing.T) {
	files := victims(t)
	packed(t, files)
	for name, data := range files {
		format, _ := ParseFormat(strings.TrimPrefix(filepath.Ext(name), "."))
		r := rand.New(rand.NewPCG(*mutantSeed, uint64(len(data))))
		refused, reworded, wrong := 0, 0, 0
		for range *mutants / raceFactor {
			mutant := mutate(r, data)
			err := readBytes(mutant, name, format)
			if err != nil {
				refused++
			}
			if errors.Is(err, ground.ErrContradiction) || errors.Is(err, ground.ErrEndsEarly) {
				reworded++
			}
			if bad := checkWords(err); bad != nil {
				if wrong++; wrong <= 3 {
					t.Errorf("%s: %v", name, bad)
				}
			}
		}
		t.Logf("%s: %d of %d refused, %d of them reworded, %d in foreign words", name, refused,
			*mutants/raceFactor, reworded, wrong)
	}
}
