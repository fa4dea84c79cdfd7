package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// A bundle whose graphs do not compute its golden vectors is not imported.
func TestImportReplaysGoldenVectors(t *testing.T) {
	t.Setenv("PFNAMP_ORT_LIB", orttest.Library(t))
	data := t.TempDir()
	t.Setenv("XDG_DATA_HOME", data)
	dir := filepath.Join(t.TempDir(), "tiny")
	must.Succeed(t, os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "testdata", "tiny"))))
	change := func(name, old, changed string) (before, after string) {
		path := filepath.Join(dir, name)
		text := readFile(t, path)
		if !bytes.Contains(text, []byte(old)) {
			t.Fatalf("%s does not contain %q", name, old)
		}
		edited := bytes.Replace(text, []byte(old), []byte(changed), 1)
		must.Succeed(t, os.WriteFile(path, edited, 0o600))
		return fmt.Sprintf("%x", sha256.Sum256(text)), fmt.Sprintf("%x", sha256.Sum256(edited))
	}
	before, after := change("golden.json", `"quantiles": [[[-`, `"quantiles": [[[-4`)
	change("manifest.json", before, after)
	must.Succeed(t, orttest.Seal(dir))
	ends(t, "models import "+dir, fault.ExitCheck, "differs from its golden vectors")
	if left, _ := os.ReadDir(data); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	ends(t, "models import --no-verify "+dir, fault.ExitOK)
}
