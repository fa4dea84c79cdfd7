package models

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

// mapOf are the files of a folder.
func mapOf(t *testing.T, dir string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	folder := os.DirFS(dir)
	names, err := fs.Glob(folder, "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := fs.ReadFile(folder, name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	return files
}

// edits calls try with every leaf of a JSON value changed in turn, and with every object key
// missing.
func edits(value any, path string, try func(path string)) {
	leaf := func(set func(any), old any, path string) {
		switch v := old.(type) {
		case map[string]any, []any:
			edits(v, path, try)
			return
		case float64:
			set(math.Nextafter(v, math.Inf(1)))
			if v == math.Trunc(v) {
				set(v + 1)
			}
		case string:
			set(v + "x")
		case bool:
			set(!v)
		}
		try(path)
		set(old)
	}
	switch v := value.(type) {
	case map[string]any:
		for key, old := range v {
			at := path + "." + key
			leaf(func(changed any) { v[key] = changed }, old, at)
			delete(v, key)
			try(at + " missing")
			v[key] = old
		}
	case []any:
		for i, old := range v {
			leaf(func(changed any) { v[i] = changed }, old, fmt.Sprintf("%s[%d]", path, i))
		}
	}
}

// No field of the manifest of an embedded bundle, or of its licence, can be changed in a copy
// without being noticed, however little.
func TestEveryFieldIsBound(t *testing.T) {
	for _, in := range inside {
		files := mapOf(t, in.name)
		if _, err := LoadFS(files, "copy"); err != nil {
			t.Fatal(err)
		}
		var manifest map[string]any
		if err := json.Unmarshal(files[manifestFile].Data, &manifest); err != nil {
			t.Fatal(err)
		}
		tried := map[string]bool{}
		edits(manifest, in.name, func(path string) {
			data, err := json.Marshal(manifest)
			if err != nil {
				t.Fatal(err)
			}
			tried[path] = true
			if b, err := loadManifest(files, data); err == nil {
				t.Errorf("%s: the bundle loads, sealed %v", path, b)
			}
		})
		for _, path := range []string{".limits.max_rows", ".ensemble.seed", ".licence.spdx", ".format"} {
			if !tried[in.name+path] || len(tried) < 50 {
				t.Errorf("%s%s was not changed; %d edits", in.name, path, len(tried))
			}
		}
		files["LICENSE"] = &fstest.MapFile{Data: append(files["LICENSE"].Data, '.')}
		if _, err := LoadFS(files, "copy"); err == nil ||
			!strings.Contains(err.Error(), "LICENSE: its sha256") {
			t.Errorf("%s: a changed licence: %v", in.name, err)
		}
	}
}

// loadManifest checks another manifest of a bundle as Load does; its graphs have been checked.
func loadManifest(files fstest.MapFS, data []byte) (sealed bool, err error) {
	manifest, err := parseManifest(data)
	if err != nil {
		return false, err
	}
	l := loader{fsys: files, source: "copy", files: map[string][]byte{}}
	return l.checkSums(map[string][]byte{manifestFile: data,
		manifest.Licence.File: files["LICENSE"].Data})
}

// What SHA256SUMS says is compared; without that file a bundle loads, but is not sealed.
func TestSealed(t *testing.T) {
	files := mapOf(t, tiny)
	sums := string(files[sumsFile].Data)
	for name, text := range map[string]string{
		"empty": "", "one line": sums[:strings.Index(sums, "\n")+1], "other file": sums + sums[:66] +
			"golden.json\n",
		"other sum": strings.Replace(sums, sums[:1], "g", 1), "no sums": "hello\n",
	} {
		files[sumsFile] = &fstest.MapFile{Data: []byte(text)}
		if _, err := LoadFS(files, "copy"); err == nil {
			t.Errorf("%s: the bundle loads", name)
		}
	}
	delete(files, sumsFile)
	if b, err := LoadFS(files, "copy"); err != nil || b.Sealed() {
		t.Errorf("without sums: %v", err)
	}
}
