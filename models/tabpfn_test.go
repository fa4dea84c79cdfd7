package models

import (
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/wire"
)

// tinyTabPFN is the fixture that scripts/export_onnx.py made of a random network.
const tinyTabPFN = "../testdata/tabpfn-tiny"

func TestTabPFNCacheNames(t *testing.T) {
	for outputs, want := range map[string]string{
		"":                                     "columns target cache",
		"columns target cache":                 "columns target cache",
		"columns scales colkv.0 iclkv.0":       "columns scales colkv.0 iclkv.0",
		"columns ranks scales colkv.0 iclkv.0": "columns ranks scales colkv.0 iclkv.0",
		"ranks colkv.0":                        "columns ranks scales colkv.0 iclkv.0",
		"colkv.0":                              "columns scales colkv.0 iclkv.0",
		"colkv.0 columns scales colkv.1":       "columns scales colkv.0 iclkv.0",
		"columns scales iclkv.0 colkv.0":       "columns scales colkv.0 iclkv.0",
		"columns scales iclkv.0 iclkv.1":       "columns target cache",
		"columns target colkv.0 iclkv.0":       "columns scales colkv.0 iclkv.0",
	} {
		var ports []wire.Port
		for _, name := range strings.Fields(outputs) {
			ports = append(ports, wire.Port{Name: name, Element: wire.Float})
		}
		if got := strings.Join(tabpfnCaches(ports), " "); got != want {
			t.Errorf("%q: need %q, want %q", outputs, got, want)
		}
	}
}

func TestTabPFNBorders(t *testing.T) {
	for name, change := range map[string]func([]byte) []byte{
		"cut short":     func(b []byte) []byte { return b[:len(b)-4] },
		"not ascending": func(b []byte) []byte { return append(b[4:8:8], b[4:]...) },
	} {
		files := changed(t, "tabpfn-tiny")
		install(t, files, "borders.f32", change(files["borders.f32"].Data))
		_, err := LoadFS(files, "tiny")
		must.Fail(t, name, err, "borders")
	}
}
