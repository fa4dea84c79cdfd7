package models

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tiny is a bundle with a direct output.
var tiny = filepath.Join("..", "testdata", "tiny")

// tinyCopy copies the bundle and changes its manifest.
func tinyCopy(t *testing.T, edit func(manifest map[string]any)) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(tiny)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, manifestFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var manifest map[string]any
	if err := json.Unmarshal(data, &manifest); err != nil {
		t.Fatal(err)
	}
	edit(manifest)
	if data, err = json.Marshal(manifest); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestDirect(t *testing.T) {
	b, err := Load(tiny)
	if err != nil {
		t.Fatal(err)
	}
	if d := b.Manifest.Direct; d == nil || d.Target != "median" || d.Levels != 11 {
		t.Errorf("direct is %+v", d)
	}
}

func TestDirectRefused(t *testing.T) {
	cases := map[string]struct {
		direct any // nil drops the field
		want   string
	}{
		"undeclared":    {nil, "outputs are [quantiles median_quantiles], need [quantiles]"},
		"null":          {json.RawMessage("null"), `"direct" is null`},
		"number":        {1, `"direct" is not an object`},
		"no target":     {map[string]any{"levels": 11}, `"direct.target" is missing`},
		"other target":  {map[string]any{"target": "mean", "levels": 11}, `direct.target "mean"`},
		"few levels":    {map[string]any{"target": "median", "levels": 7}, "direct.levels 7"},
		"many levels":   {map[string]any{"target": "median", "levels": 1 << 20}, "direct.levels"},
		"unknown field": {map[string]any{"target": "median", "levels": 11, "x": 1}, "direct.x"},
	}
	for name, c := range cases {
		dir := tinyCopy(t, func(m map[string]any) {
			if m["direct"] = c.direct; c.direct == nil {
				delete(m, "direct")
			}
		})
		if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %q does not contain %q", name, err, c.want)
		}
	}
}

// A manifest that announces what the graph does not have is refused too.
func TestDirectWithoutOutput(t *testing.T) {
	cache := []string{"colkv.0", "iclkv.0"}
	graph := graphInfo{opset: 17, inputs: floats("X_test", "colkv.0", "iclkv.0"),
		outputs: floats("quantiles")}
	m := &Manifest{Opset: 17, Direct: &Direct{Target: "median", Levels: 99}}
	if err := graph.agrees(QueryGraph, m, cache); err == nil {
		t.Error("a missing output is admitted")
	}
	graph.outputs = floats("quantiles", "median_quantiles")
	if err := graph.agrees(QueryGraph, m, cache); err != nil {
		t.Error(err)
	}
}

func floats(names ...string) []valueInfo {
	var values []valueInfo
	for _, name := range names {
		values = append(values, valueInfo{name, typeFloat})
	}
	return values
}
