package models

import (
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

// tinyClassifier is a classifier of random weights; see pfn/classes_test.go.
const tinyClassifier = "../testdata/tabicl-classes"

// gateOf returns what the gate learns about a graph.
func gateOf(t *testing.T, b *Bundle, name string) *gate {
	t.Helper()
	data, err := b.Graph(name)
	must.Succeed(t, err)
	g, err := inspectGraph(data)
	must.Succeed(t, err)
	return g
}

const manyClassifier = "../testdata/tabicl-many"

func TestLoadManyClasses(t *testing.T) {
	b := loaded(t, manyClassifier)
	m := &b.Manifest
	if !m.Hierarchical() || m.MostClasses() != 1000 || b.HierarchySize() == 0 {
		t.Errorf("%d classes, %d bytes", m.MostClasses(), b.HierarchySize())
	}
	if old := loaded(t, tinyClassifier); old.Manifest.Hierarchical() ||
		old.Manifest.MostClasses() != 10 || old.HierarchySize() != 0 {
		t.Errorf("a bundle without the graphs: %+v", old.Manifest)
	}
}

// The graphs must have each other's inputs and outputs.
func TestManyClassesGraphs(t *testing.T) {
	b := loaded(t, manyClassifier)
	cache := blockNames(gateOf(t, b, ContextGraph).outputs)
	for _, name := range b.Manifest.graphNames() {
		for _, other := range b.Manifest.graphNames() {
			err := gateOf(t, b, other).agrees(name, &b.Manifest, cache)
			if (err == nil) != (name == other) {
				t.Errorf("%s as %s: error %v", other, name, err)
			}
		}
	}
}
