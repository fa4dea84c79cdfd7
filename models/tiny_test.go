package models

import (
	"path/filepath"
	"testing"

	"github.com/pfnamp/pfnamp/internal/wire"
)

// tiny is a bundle of random weights, made by testdata/tiny.py.
var tiny = filepath.Join("..", "testdata", "tiny")

// A manifest that announces what the graph does not have is refused.
func TestSurfaceWithoutOutput(t *testing.T) {
	cache := []string{"colkv.0", "iclkv.0"}
	graph := gate{opset: 17, inputs: floats("X_test", "colkv.0", "iclkv.0")}
	m := &Manifest{Opset: 17, Surface: &Surface{}}
	for _, outputs := range [][]wire.Port{floats("quantiles"), floats("surface", "quantiles"),
		floats("quantiles surface")} {
		graph.outputs = outputs
		if err := graph.agrees(QueryGraph, m, cache); err == nil {
			t.Errorf("the outputs %v are admitted", outputs)
		}
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
