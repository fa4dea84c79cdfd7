//go:build cgo

package ort

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// pack compresses the test library in the way of the command pack.
func pack(t testing.TB) packed {
	t.Helper()
	library := orttest.Library(t)
	raw, err := os.ReadFile(library)
	must.Succeed(t, err)
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	must.Succeed(t, err)
	sum := fmt.Sprintf("%x  %s\n", sha256.Sum256(raw), soname("1.27.0"))
	return newPacked(sum, encoder.EncodeAll(raw, nil))
}

func TestUnpackMemory(t *testing.T) {
	p := pack(t)
	path, err := p.toMemory()
	must.Succeed(t, err)
	if bad := examine(path); bad != nil {
		t.Fatal(bad)
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

func TestUnpackRefuses(t *testing.T) {
	p := pack(t)
	damaged := p
	damaged.sha256 = strings.Repeat("0", 64)
	_, err := damaged.toMemory()
	must.Fail(t, "wrong hash", err, "is damaged")
	damaged.data = p.data[:len(p.data)/2]
	if path, err := damaged.toMemory(); err == nil {
		t.Errorf("truncated data: %s", path)
	}
}
