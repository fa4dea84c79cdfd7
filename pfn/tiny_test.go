package pfn

import (
	"path/filepath"
	"testing"

	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// Folders of networks of random weights, made by testdata/tiny.py: a plain one, and one with a
// surface.
var (
	tinyBundle    = filepath.Join("..", "testdata", "tiny")
	surfaceBundle = filepath.Join("..", "testdata", "tiny-surface")
)

// openBundle loads the bundle of a folder into onnxruntime until the end of the test.
func openBundle(t testing.TB, dir string) *Model {
	t.Helper()
	b, err := models.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Open(b, Options{Library: orttest.Library(t), Refit: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

func TestHeadsOf(t *testing.T) {
	b, err := models.Load(surfaceBundle)
	if err != nil {
		t.Fatal(err)
	}
	label, surface := ort.Port{Name: "quantiles"}, ort.Port{Name: "surface"}
	heads, err := headsOf(b, []ort.Port{surface, label})
	if err != nil || heads[ofLabel].index != 1 || heads[ofOwn].index != 0 {
		t.Errorf("heads %+v, %v: outputs are not found by name", heads, err)
	}
	if _, err := headsOf(b, []ort.Port{label}); err == nil {
		t.Error("a missing output is not noticed")
	}
}

// shifted returns a + b v for every value.
func shifted(values []float64, a, b float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = a + b*v
	}
	return out
}

// results asks a context for everything.
func results(t testing.TB, c *Context, x Matrix) []Result {
	t.Helper()
	found, err := c.Results(t.Context(), x, true)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// Folders of TabPFN networks of random weights: v2, and v2.5 and v3 with the pipelines of package
// 8.4.0.
var (
	tinyTabPFN = filepath.Join("..", "testdata", "tabpfn-tiny")
)

// openTabPFN loads the first of them until the end of the test.
func openTabPFN(t testing.TB, opt Options) *Model {
	t.Helper()
	return openFolder(t, tinyTabPFN, opt)
}

// openFolder loads a bundle until the end of the test.
func openFolder(t testing.TB, folder string, opt Options) *Model {
	t.Helper()
	b, err := models.Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	opt.Library = orttest.Library(t)
	m, err := Open(b, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}
