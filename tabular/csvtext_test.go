package tabular

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// compressed is a text that a compressor has written.
func compressed(t testing.TB, out *bytes.Buffer, z io.WriteCloser, text io.Reader) string {
	t.Helper()
	_, err := io.Copy(z, text)
	must.Succeed(t, errors.Join(err, z.Close()))
	return out.String()
}

func packGzip(t testing.TB, text io.Reader) string {
	t.Helper()
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
	return compressed(t, &out, z, text)
}

func packZstd(t testing.TB, text io.Reader) string {
	t.Helper()
	var out bytes.Buffer
	z, _ := zstd.NewWriter(&out)
	return compressed(t, &out, z, text)
}

func TestPacked(t *testing.T) {
	text := "a,b\n1,2\n"
	files := map[string]string{
		"x.csv.gz":  packGzip(t, strings.NewReader(text)),
		"x.csv.zst": packZstd(t, strings.NewReader(text)),
		"x.csv":     packGzip(t, strings.NewReader(text)),
		"x":         packZstd(t, strings.NewReader("\ufeff"+text)),
	}
	for name, packed := range files {
		table, err := ReadAll(t.Context(), writeFile(t, name, packed), ReadOptions{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := format(table); got != "a|b/1|2" {
			t.Errorf("%s: got %q", name, got)
		}
	}
	gz := files["x.csv.gz"]
	for name, damaged := range map[string]string{
		"cut":      gz[:len(gz)-9],
		"head":     gz[:5],
		"checksum": gz[:len(gz)-8] + "\x00\x00\x00\x00" + gz[len(gz)-4:],
		"zstd":     files["x.csv.zst"][:9],
	} {
		_, err := ReadAll(t.Context(), writeFile(t, "x.csv.gz", damaged), ReadOptions{})
		if _, ok := err.(*Error); !ok {
			t.Errorf("%s: got %v, want an *Error", name, err)
		}
	}
}

// TestBomb checks that text that unpacks to far more than its size is refused.
func TestBomb(t *testing.T) {
	row := strings.Repeat("12345", 800) + ",67890\n"
	rows := io.LimitReader(repeat(row), int64(len(row))*(ground.ExpandFree*2/int64(len(row))))
	bomb := io.MultiReader(strings.NewReader("a,b\n"), rows)
	r, err := Open(writeFile(t, "x.csv.zst", packZstd(t, bomb)), ReadOptions{})
	must.Succeed(t, err)
	defer r.Close()
	for err == nil {
		_, err = r.Next(t.Context())
	}
	if e, ok := err.(*Error); !ok || !strings.Contains(e.Msg, "unpacks to more than 500") {
		t.Errorf("got %v", err)
	}
}

func repeat(text string) io.Reader {
	block := []byte(strings.Repeat(text, 4096))
	return &repeater{block: block}
}

// repeater reads a block again and again.
type repeater struct {
	block []byte
	at    int
}

func (r *repeater) Read(p []byte) (int, error) {
	n := copy(p, r.block[r.at:])
	r.at = (r.at + n) % len(r.block)
	return n, nil
}

func TestUTF16(t *testing.T) {
	text := "name,größe\n\"x\n\",\U0001f600\n"
	for _, endian := range []unicode.Endianness{unicode.LittleEndian, unicode.BigEndian} {
		wide, err := unicode.UTF16(endian, unicode.UseBOM).NewEncoder().String(text)
		must.Succeed(t, err)
		table := readText(t, wide, ReadOptions{})
		if got := format(table); got != "name|größe/x\n|\U0001f600" {
			t.Errorf("got %q", got)
		}
		if !slices.Contains(table.Notes, "decoded from UTF-16") {
			t.Errorf("notes %q", table.Notes)
		}
	}
	for name, wide := range map[string]string{
		"half a pair": "\xff\xfea\x00\n\x00\x3d\xd8\n\x00",
		"odd":         "\xff\xfea\x00\n\x00b",
	} {
		_, err := ReadAll(t.Context(), "-", ReadOptions{Stdin: strings.NewReader(wide)})
		if e, ok := err.(*Error); !ok || e.Line != 2 {
			t.Errorf("%s: got %v, want an *Error at line 2", name, err)
		}
	}
}
