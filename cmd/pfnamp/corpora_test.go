package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// TestHostileTables gives every file of the shared corpora to the program, as
// context and as query table: one clear error, never a crash or a hang.
func TestHostileTables(t *testing.T) {
	library := orttest.Library(t)
	corpora := filepath.Join("..", "..", "..", "shared", "data", "corpora")
	if _, err := os.Stat(corpora); err != nil {
		t.Skip("the corpora are not here: ", err)
	}
	t.Setenv("PFNAMP_ORT_LIB", library)
	good := filepath.Join(t.TempDir(), "good.csv")
	if err := os.WriteFile(good, []byte("a,b,y\n1,2,3\n2,1,4\n3,3,5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(corpora, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		expectOneError(t, path, path, good, "--target", "no such column")
		expectOneError(t, path, good, path, "--target", "y", "--keep", "no such column")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// expectOneError runs predict, which must reject the named file.
func expectOneError(t *testing.T, file string, args ...string) {
	t.Helper()
	var out, errors bytes.Buffer
	start := time.Now()
	status := program(t.Context(), stdio.Streams{In: strings.NewReader(""), Out: &out, Err: &errors},
		append([]string{"pfnamp", "predict", "--quiet"}, args...))
	if elapsed := time.Since(start); elapsed > 30*time.Second {
		t.Errorf("%s: hangs, %v", file, elapsed)
	}
	if status != fault.ExitInput && status != fault.ExitLimit {
		t.Errorf("%s: exit status %d, want %d or %d\n%s", file, status, fault.ExitInput, fault.ExitLimit,
			&errors)
	}
	if message := errors.String(); strings.Count(message, "pfnamp: error: ") != 1 ||
		!strings.Contains(message, filepath.Base(file)) {
		t.Errorf("%s: not one error that names the file:\n%s", file, message)
	}
	if out.Len() > 0 {
		t.Errorf("%s: %d bytes on standard output", file, out.Len())
	}
}
