package models

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

// zeros is a reader of zeros.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// bomb writes an archive of the kind that its name tells with one file of so many zeros, cut to a
// length that is at least some kilobytes, or whole for 0.
func bomb(t *testing.T, name string, size, cut int64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	must.Succeed(t, err)
	defer f.Close()
	var file io.Writer
	var closers []io.Closer
	if strings.HasSuffix(name, ".zip") {
		w := zip.NewWriter(f)
		file, err = w.Create("context.onnx")
		closers = append(closers, w)
	} else {
		packed := gzip.NewWriter(f)
		w := tar.NewWriter(packed)
		err = w.WriteHeader(&tar.Header{Name: "context.onnx", Mode: 0o600, Size: size,
			Typeflag: tar.TypeReg})
		file, closers = w, []io.Closer{w, packed}
	}
	if err == nil {
		_, err = io.CopyN(file, zeros{}, size)
	}
	for _, c := range closers {
		err = errors.Join(err, c.Close())
	}
	if err == nil && cut > 0 {
		err = f.Truncate(cut)
	}
	must.Succeed(t, err)
	return path
}

// TestArchiveBombs reads archives that expand a thousand times: they are refused by the name and
// the sizes of the file that is too large, and take little memory and nothing on disk.
func TestArchiveBombs(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	const want = `file "context.onnx" has 104857600 bytes`
	for _, name := range []string{"b.tgz", "b.zip"} {
		path := bomb(t, name, 100<<20, 0)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := LoadArchive(path)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "may have 67108864") {
			t.Errorf("%s: %v", name, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 8<<20 {
			t.Errorf("%s: %d bytes allocated", name, took)
		}
	}
	path := bomb(t, "b.tgz", 50<<20, 20_000) // small enough, and cut
	_, err := LoadArchive(path)
	if err == nil || !strings.HasPrefix(err.Error(), "model bundle "+path+": ") ||
		!strings.Contains(err.Error(), "ends early") || strings.Contains(err.Error(), "EOF") {
		t.Errorf("cut: %v", err)
	}
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
