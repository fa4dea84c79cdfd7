package models

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/wire"
)

// Bundles of random weights, made by testdata/tiny.py: a plain one, and one with a surface.
var (
	tiny        = filepath.Join("..", "testdata", "tiny")
	tinySurface = filepath.Join("..", "testdata", "tiny-surface")
)

// tinyCopy copies the plain bundle and changes its manifest.
func tinyCopy(t *testing.T, edit func(manifest map[string]any)) string {
	t.Helper()
	return copyOf(t, tiny, edit)
}

// copyOf copies a bundle and changes its manifest.
func copyOf(t *testing.T, bundle string, edit func(manifest map[string]any)) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(bundle)); err != nil {
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
	if err := os.Remove(filepath.Join(dir, sumsFile)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A manifest that announces what the graph does not have is refused.
func TestSurfaceWithoutOutput(t *testing.T) {
	cache := []string{"colkv.0", "iclkv.0"}
	graph := gate{opset: 17, inputs: floats("X_test", "colkv.0", "iclkv.0"),
		outputs: floats("quantiles")}
	m := &Manifest{Opset: 17, Surface: &Surface{}}
	if err := graph.agrees(QueryGraph, m, cache); err == nil {
		t.Error("a missing output is admitted")
	}
	graph.outputs = floats("quantiles", "surface")
	if err := graph.agrees(QueryGraph, m, cache); err != nil {
		t.Error(err)
	}
}

func floats(names ...string) []wire.Port {
	var values []wire.Port
	for _, name := range names {
		values = append(values, wire.Port{Name: name, Element: wire.Float})
	}
	return values
}

// A manifest that says nothing of an output of its graph is refused.
func TestUndeclaredSurface(t *testing.T) {
	dir := copyOf(t, tinySurface, func(m map[string]any) { delete(m, "surface") })
	if _, err := Load(dir); err == nil ||
		!strings.Contains(err.Error(), "outputs are [quantiles surface] instead of [quantiles]") {
		t.Errorf("error %v", err)
	}
}

func TestOutputs(t *testing.T) {
	for want, m := range map[string]*Manifest{
		"quantiles":         {},
		"quantiles surface": {Surface: &Surface{}},
		"logits":            {Head: Head{Kind: BarHead}},
	} {
		if got := m.outputs(); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("outputs %v, want %s", got, want)
		}
	}
}
