package models

import "testing"

// tinyClassifier is a classifier of random weights; see pfn/classes_test.go.
const tinyClassifier = "../testdata/tabicl-classes"

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
