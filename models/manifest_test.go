package models

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// manifestWith returns the embedded manifest with one field, named by its path, changed by edit.
func manifestWith(t testing.TB, path string, edit func(object map[string]any, name string)) []byte {
	t.Helper()
	data, err := embedded.ReadFile("default/" + manifestFile)
	if err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	if err := json.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	object, names := root, strings.Split(path, ".")
	for _, name := range names[:len(names)-1] {
		object = object[name].(map[string]any)
	}
	edit(object, names[len(names)-1])
	data, err = json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func set(v any) func(map[string]any, string) {
	return func(object map[string]any, name string) { object[name] = v }
}

func TestManifestValues(t *testing.T) {
	cases := []struct {
		path string
		v    any
		want string
	}{
		{"format", 2, "format is 2"},
		{"name", "", "name"},
		{"name", "a b", "name"},
		{"version", "1/2", "version"},
		{"family", "other", "family"},
		{"task", "dance", "task"},
		{"opset", 9, "opset 9"},
		{"opset", "17", "is a text, not"},
		{"head.kind", "bars", "head.kind"},
		{"head.levels", 1, "head.levels"},
		{"head.levels", 99.5, "is a number 99.5, not"},
		{"limits.min_rows", 1, "limits"},
		{"limits.max_rows", 1, "limits"},
		{"limits.max_features", 0, "max_features"},
		{"ensemble.members", 0, "members"},
		{"ensemble.norms", []string{}, "norms is empty"},
		{"ensemble.norms", []string{"loud"}, `"loud"`},
		{"ensemble.norms", []string{"none", "none"}, "twice"},
		{"ensemble.shuffle", "shift", "shuffle"},
		{"ensemble.seed", -1, ", not a"},
		{"ensemble.outlier_threshold", 0.5, "outlier_threshold"},
		{"graphs", map[string]any{}, "graphs has 0 entries"},
		{"graphs.context.file", "../context.onnx", "leads out of the bundle"},
		{"graphs.query.file", "/etc/passwd", "leads out of the bundle"},
		{"graphs.query.file", "a/../../b", "leads out of the bundle"},
		{"graphs.query.file", `..\b`, "leads out of the bundle"},
		{"graphs.query.file", "C:b", "leads out of the bundle"},
		{"graphs.query.file", ".", "leads out of the bundle"},
		{"graphs.query.file", "", "leads out of the bundle"},
		{"golden.file", "./golden.json", "leads out of the bundle"},
		{"golden.sha256", "abc", "64 lower-case"},
		{"graphs.query.sha256", strings.Repeat("A", 64), "64 lower-case"},
		{"licence.spdx", "", "licence.spdx"},
		{"licence.file", "../LICENSE", "leads out of the bundle"},
		{"licence.notice", nil, `"licence.notice" is null`},
		{"provenance.parameters", -1, "parameters"},
		{"golden_tolerances", map[string]any{"int4": 0.1}, `precision "int4", but only "int8"`},
		{"golden_tolerances", map[string]any{"float32": 0.1}, `precision "float32"`},
		{"golden_tolerances", map[string]any{"int8": 0}, "golden_tolerances.int8 0 is outside"},
		{"golden_tolerances", map[string]any{"int8": 1.5}, "golden_tolerances.int8 1.5"},
		{"golden_tolerances", map[string]any{"int8": "few"}, "golden_tolerances"},
		{"golden_tolerances", nil, `"golden_tolerances" is null`},
		{"provenance.recipe_sha256", "abc", "64 lower-case"},
		{"extra", 1, "unknown field extra"},
		{"graphs.query.extra", 1, "unknown field graphs.query.extra"},
		{"ensemble", 1, `"ensemble" is not an object`},
		{"ensemble", nil, `"ensemble" is null`},
	}
	for _, c := range cases {
		_, err := parseManifest(manifestWith(t, c.path, set(c.v)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s = %v: error %q does not contain %q", c.path, c.v, err, c.want)
		}
	}
}

func TestManifestRecipe(t *testing.T) {
	sum := strings.Repeat("0a", 32)
	m, err := parseManifest(manifestWith(t, "provenance.recipe_sha256", set(sum)))
	if err != nil || m.Provenance.RecipeSHA256 != sum {
		t.Errorf("recipe %q: %v", m.Provenance.RecipeSHA256, err)
	}
}

func TestManifestTolerances(t *testing.T) {
	m, err := parseManifest(manifestWith(t, "golden_tolerances", set(map[string]any{"int8": 0.02})))
	if err != nil || m.GoldenTolerances[Int8] != 0.02 {
		t.Errorf("tolerances %v: %v", m.GoldenTolerances, err)
	}
}

func TestManifestMissingFields(t *testing.T) {
	drop := func(object map[string]any, name string) { delete(object, name) }
	paths := []string{"format", "description", "head", "head.levels", "limits.min_rows",
		"ensemble.seed", "graphs", "graphs.query.sha256", "golden.file", "licence.notice",
		"provenance.tools"}
	for _, path := range paths {
		_, err := parseManifest(manifestWith(t, path, drop))
		if err == nil || !strings.Contains(err.Error(), `"`+path+`" is missing`) {
			t.Errorf("%s: error %q", path, err)
		}
	}
}

func TestManifestSyntax(t *testing.T) {
	good := string(manifestWith(t, "format", set(FormatVersion)))
	cases := map[string]struct{ json, want string }{
		"empty":      {"", "the JSON is cut short"},
		"array":      {"[]", "not an object"},
		"null":       {"null", "not an object"},
		"trailing":   {good + "{}", "the JSON is invalid from byte"},
		"duplicate":  {strings.Replace(good, "{", `{"format":1,`, 1), `"format" appears twice`},
		"upper case": {strings.Replace(good, `"format"`, `"Format"`, 1), `"format" is missing`},
		"cut":        {good[:100], "the JSON is cut short"},
	}
	for name, c := range cases {
		_, err := parseManifest([]byte(c.json))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %q does not contain %q", name, err, c.want)
		}
	}
}

// FuzzManifest parses any JSON: a manifest that is admitted names files in its bundle only, and is
// admitted again as it is written.
func FuzzManifest(f *testing.F) {
	f.Add(manifestWith(f, "format", set(FormatVersion)))
	f.Add([]byte(`{"format":1,"graphs":{"context":{"file":"../x"}}}`))
	bundles, err := filepath.Glob(filepath.Join("..", "testdata", "*", manifestFile))
	if err != nil || bundles == nil {
		f.Fatalf("no bundles: %v", err)
	}
	for _, path := range bundles {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := parseManifest(data)
		if err != nil {
			return
		}
		files := []string{m.Golden.File, m.Licence.File, m.Graphs[ContextGraph].File,
			m.Graphs[QueryGraph].File}
		for _, file := range files {
			if !filepath.IsLocal(file) {
				t.Errorf("path %q is admitted", file)
			}
		}
		written, err := json.Marshal(m)
		if err == nil {
			_, err = parseManifest(written)
		}
		if err != nil {
			t.Errorf("not admitted again: %v", err)
		}
	})
}
