package tabular

import (
	"bytes"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

// TestAbortedTextEndsWithARow gives up text on standard output after many rows.
func TestAbortedTextEndsWithARow(t *testing.T) {
	var out bytes.Buffer
	rec := numbers(200_000)
	w, err := Create("-", rec.Schema(), WriteOptions{Format: CSV, Stdout: &out})
	must.Succeed(t, err)
	must.Succeed(t, w.Write(rec))
	must.Succeed(t, w.Abort())
	if text := out.Bytes(); len(text) < 100_000 || text[len(text)-1] != '\n' {
		t.Errorf("%d bytes, the last of which are %q", len(text), text[max(0, len(text)-9):])
	}
}
