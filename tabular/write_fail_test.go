package tabular

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

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
	rec := wide(20_000)
	for _, cause := range []error{syscall.ENOSPC, syscall.EPIPE} {
		for _, format := range []Format{CSV, Parquet, ArrowFile, ArrowStream} {
			for _, room := range []int{0, 500, 100_000} {
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
	must.Succeed(t, err)
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
	must.Succeed(t, err)
	other := record("y", numbers(1).Columns()...)
	if w.Write(other) == nil || w.Write(numbers(1)) == nil || w.Commit() == nil {
		t.Error("no error after a batch of other columns")
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("left in the folder: %v", entries)
	}
}
