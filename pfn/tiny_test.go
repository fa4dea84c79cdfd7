package pfn

import (
	"path/filepath"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/models"
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
	return openFolder(t, dir, Options{Refit: true})
}

// loaded is the bundle of a folder.
func loaded(t testing.TB, folder string) *models.Bundle {
	t.Helper()
	b, err := models.Load(folder)
	must.Succeed(t, err)
	b.Manifest.Companion = nil // TestCompanion has one
	return b
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
	must.Succeed(t, err)
	return found
}

// openFolder loads a bundle until the end of the test.
func openFolder(t testing.TB, folder string, opt Options) *Model {
	t.Helper()
	return openLoaded(t, loaded(t, folder), opt)
}
