package models

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const manyClassifier = "../testdata/tiny-many"

func TestLoadManyClasses(t *testing.T) {
	b, err := Load(manyClassifier)
	if err != nil {
		t.Fatal(err)
	}
	m := &b.Manifest
	if !m.Hierarchical() || m.MostClasses() != 1000 || m.ExportAgain() || b.HierarchySize() == 0 {
		t.Errorf("%d classes, %d bytes", m.MostClasses(), b.HierarchySize())
	}
	if old, err := Load(tinyClassifier); err != nil || old.Manifest.Hierarchical() ||
		!old.Manifest.ExportAgain() || old.Manifest.MostClasses() != 10 || old.HierarchySize() != 0 {
		t.Errorf("a bundle without the graphs: %v", err)
	}
}

// A bundle is refused whose graphs are not those that its limit of classes needs.
func TestManyClassesManifest(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(manyClassifier, manifestFile))
	if err != nil {
		t.Fatal(err)
	}
	type object = map[string]any
	for want, edit := range map[string]func(object){
		"graphs has 6 entries": func(m object) { delete(m["limits"].(object), "max_classes") },
		"graphs has 5 entries": func(m object) { delete(m["graphs"].(object), ICLQueryGraph) },
		"max_classes 3 is out": func(m object) { m["limits"].(object)["max_classes"] = 3 },
		"outside 4..10000":     func(m object) { m["limits"].(object)["max_classes"] = 10001 },
		"is given for the task": func(m object) {
			m["task"], m["head"] = RegressionTask, object{"kind": QuantileHead, "levels": 9}
			delete(m, "classification")
		},
		`graphs has no "rows_query"`: func(m object) {
			graphs := m["graphs"].(object)
			graphs["other"] = graphs[RowsQueryGraph]
			delete(graphs, RowsQueryGraph)
		},
	} {
		var m object
		if err := json.Unmarshal(data, &m); err != nil {
			t.Fatal(err)
		}
		edit(m)
		changed, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parseManifest(changed); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// The graphs must have each other's inputs and outputs.
func TestManyClassesGraphs(t *testing.T) {
	b, err := Load(manyClassifier)
	if err != nil {
		t.Fatal(err)
	}
	cache := cacheNames(&b.Manifest, gateOf(t, b, ContextGraph).outputs)
	for _, name := range b.Manifest.graphNames() {
		for _, other := range b.Manifest.graphNames() {
			err := gateOf(t, b, other).agrees(name, &b.Manifest, cache)
			if (err == nil) != (name == other) {
				t.Errorf("%s as %s: error %v", other, name, err)
			}
		}
	}
}
