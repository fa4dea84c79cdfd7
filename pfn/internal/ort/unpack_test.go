//go:build cgo && (linux || darwin)

package ort

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/pfnamp/pfnamp/internal/orttest"
)

// pack compresses the test library in the way of the command pack.
func pack(t testing.TB) packed {
	t.Helper()
	library := orttest.Library(t)
	raw, err := os.ReadFile(library)
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		t.Fatal(err)
	}
	sum := fmt.Sprintf("%x  %s\n", sha256.Sum256(raw), soname("1.27.0"))
	return newPacked(sum, encoder.EncodeAll(raw, nil))
}

func TestUnpackMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only linux loads a library from memory")
	}
	p := pack(t)
	path, err := p.unpack("") // no folder: the disk must not be needed
	if err != nil {
		t.Fatal(err)
	}
	if err := examine(path); err != nil {
		t.Fatal(err)
	}
	lib, bad := probe(path)
	if bad != nil {
		t.Fatal(bad)
	}
	if sum, err := fileSHA256(path); err != nil || sum != p.sha256 {
		t.Errorf("hash is %s, %v", sum, err)
	}
	if f, err := os.OpenFile(path, os.O_WRONLY, 0); err == nil {
		if _, err := f.WriteAt([]byte{0}, 100); err == nil {
			t.Error("the library in memory can be changed")
		}
		f.Close()
	}
	s, err := runSmoke(t.Context(), lib, "cpu")
	if err != nil || s.Placement.Device != "cpu" {
		t.Errorf("smoke run: %+v, %v", s, err)
	}
}

func TestUnpackFolder(t *testing.T) {
	p := pack(t)
	cache := filepath.Join(t.TempDir(), "pfnamp", "ort")
	path, err := p.toFolder(cache)
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(cache, "1.27.0-"+p.sha256[:12], p.name); path != want {
		t.Errorf("path is %s, want %s", path, want)
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := p.toFolder(cache); err != nil || again != path {
		t.Errorf("second time: %q, %v", again, err)
	}
	if after, err := os.Stat(path); err != nil || !os.SameFile(before, after) {
		t.Error("the library was written again")
	}
	if _, bad := probe(path); bad != nil {
		t.Error(bad)
	}
	found, err := cached(cache)
	if err != nil || len(found) != 1 || found[0] != path {
		t.Errorf("discovery in the cache: %v, %v", found, err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if err := os.Remove(path); err != nil { // it is mapped: a change in place would kill us
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := p.toFolder(cache); err != nil {
		t.Fatal(err)
	}
	if sum, err := fileSHA256(path); err != nil || sum != p.sha256 {
		t.Errorf("hash of the repaired copy is %s, %v", sum, err)
	}
}

func TestUnpackRefuses(t *testing.T) {
	p := pack(t)
	cache := filepath.Join(t.TempDir(), "pfnamp", "ort")
	if err := os.MkdirAll(cache, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(cache, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := p.toFolder(cache); err == nil || !strings.Contains(err.Error(), "others can write") {
		t.Errorf("world-writable folder: %v", err)
	}
	damaged := p
	damaged.sha256 = strings.Repeat("0", 64)
	if _, err := damaged.toFolder(filepath.Join(t.TempDir(), "x", "y")); err == nil ||
		!strings.Contains(err.Error(), "is damaged") {
		t.Errorf("wrong hash: %v", err)
	}
	damaged.data = p.data[:len(p.data)/2]
	if path, err := damaged.unpack(""); err == nil {
		t.Errorf("truncated data: %s", path)
	}
	if _, err := newPacked("", nil).toFolder(t.TempDir()); err == nil {
		t.Error("no hash: no error")
	}
}
