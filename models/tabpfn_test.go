package models

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// tinyTabPFN is the fixture that scripts/export_onnx.py made of a random network.
const tinyTabPFN = "../testdata/tabpfn-tiny"

func TestLoadTabPFN(t *testing.T) {
	b, err := Load(tinyTabPFN)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(b.Borders()); n != b.Manifest.Head.Levels+1 {
		t.Errorf("%d borders for %d bars", n, b.Manifest.Head.Levels)
	}
	if got := b.Manifest.TabPFN.MaxWidth(); got != 128 {
		t.Errorf("MaxWidth = %d, want 128", got)
	}
}

// tinyTabPFN3 is the fixture that scripts/export_onnx.py made of a random network of v3.
const tinyTabPFN3 = "../testdata/tabpfn3-tiny"

func TestLoadTabPFN3(t *testing.T) {
	b, err := Load(tinyTabPFN3)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.Manifest.TabPFN.MaxWidth(); got != 64 || !b.Manifest.Licence.Acceptance {
		t.Errorf("MaxWidth = %d, want 64; licence %+v", got, b.Manifest.Licence)
	}
	err = folderWith(t, tinyTabPFN3, func(m map[string]any, _ fstest.MapFS) {
		m["family"], m["head"].(map[string]any)["kind"] = TabICLFamily, "quantiles"
		delete(m, "tabpfn")
	})
	if err == nil {
		t.Error("a v3 network is admitted as one of TabICL")
	}
}

func TestTabPFNCacheNames(t *testing.T) {
	m := &Manifest{Family: TabPFNFamily}
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
		if got := strings.Join(cacheNames(m, floats(strings.Fields(outputs)...)), " "); got != want {
			t.Errorf("%q: need %q, want %q", outputs, got, want)
		}
	}
}

// tinyWith loads the fixture after a change of its manifest and files.
func tinyWith(t *testing.T, edit func(manifest map[string]any, files fstest.MapFS)) error {
	t.Helper()
	return folderWith(t, tinyTabPFN, edit)
}

// folderWith loads a bundle after a change of its manifest and files.
func folderWith(t *testing.T, folder string,
	edit func(manifest map[string]any, files fstest.MapFS)) error {
	t.Helper()
	files := mapOf(t, folder)
	delete(files, sumsFile)
	var manifest map[string]any
	if err := json.Unmarshal(files[manifestFile].Data, &manifest); err != nil {
		t.Fatal(err)
	}
	files = maps.Clone(files)
	edit(manifest, files)
	data, err := json.Marshal(manifest)
	if err != nil {
		t.Fatal(err)
	}
	files[manifestFile] = &fstest.MapFile{Data: data}
	_, err = LoadFS(files, "tiny")
	return err
}

func TestTabPFNBorders(t *testing.T) {
	for name, change := range map[string]func([]byte) []byte{
		"cut short":     func(b []byte) []byte { return b[:len(b)-4] },
		"not ascending": func(b []byte) []byte { return append(b[4:8:8], b[4:]...) },
	} {
		err := tinyWith(t, func(m map[string]any, files fstest.MapFS) {
			entry := m["tabpfn"].(map[string]any)["borders"].(map[string]any)
			data := change(files["borders.f32"].Data)
			files["borders.f32"] = &fstest.MapFile{Data: data}
			entry["sha256"] = digest(data)
		})
		if err == nil || !strings.Contains(err.Error(), "borders") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestInstallTabPFN(t *testing.T) {
	b, err := Load(tinyTabPFN)
	if err != nil {
		t.Fatal(err)
	}
	folder, err := b.Install(t.TempDir(), "tiny", false)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	if again.SHA256() != b.SHA256() || !slices.Equal(again.Borders(), b.Borders()) {
		t.Error("the installed bundle is another one")
	}
}
