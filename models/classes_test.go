package models

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tinyClassifier is a classifier of random weights; see pfn/classes_test.go.
const tinyClassifier = "../testdata/tabicl-classes"

// classifierWith is the content of a file of the fixture after a change of one of its objects.
func classifierWith(t *testing.T, file, part string, edit func(map[string]any)) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(tinyClassifier, file))
	if err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	if err := json.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	object := root
	if part != "" {
		object = root[part].(map[string]any)
	}
	edit(object)
	if data, err = json.Marshal(root); err != nil {
		t.Fatal(err)
	}
	return data
}

func TestLoadClassifier(t *testing.T) {
	b, err := Load(tinyClassifier)
	if err != nil {
		t.Fatal(err)
	}
	m := &b.Manifest
	if !m.Classifier() || m.Head.Levels != 10 || m.Classes.Temperature != 0.9 {
		t.Errorf("manifest %+v", m)
	}
}

func TestClassifierManifestValues(t *testing.T) {
	for _, c := range []struct {
		part, field string
		value       any
		want        string
	}{
		{"", "task", "regression", "head.kind"},
		{"", "family", "tabpfn", "tabpfn is missing for the family"},
		{"head", "kind", "quantiles", "head.kind"},
		{"head", "levels", 1, "head.levels 1 is outside 2..65536"},
		{"", "classification", map[string]any{"shuffle": "shift"}, "is missing"},
		{"classification", "shuffle", "latin", "classification.shuffle"},
		{"classification", "shuffle", "shuffle", "classification.shuffle"},
		{"classification", "average", "probabilities", "classification.average"},
		{"classification", "balanced", true, "classification.balanced"},
		{"classification", "temperature", 0, "classification.temperature"},
		{"classification", "more", 1, "unknown field classification.more"},
	} {
		_, err := parseManifest(classifierWith(t, manifestFile, c.part,
			func(object map[string]any) { object[c.field] = c.value }))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s.%s = %v: error %v, want %q", c.part, c.field, c.value, err, c.want)
		}
	}
	_, err := parseManifest(classifierWith(t, manifestFile, "",
		func(object map[string]any) { delete(object, "classification") }))
	if err == nil || !strings.Contains(err.Error(), "classification is missing for the task") {
		t.Errorf("without rules: %v", err)
	}
	_, err = parseManifest(manifestWith(t, "classification", set(map[string]any{
		"shuffle": "shift", "average": "logits", "temperature": 0.9})))
	if err == nil || !strings.Contains(err.Error(), `given for the task "regression"`) {
		t.Errorf("rules of a regression: %v", err)
	}
}

// A graph whose output is not that of the task is refused.
func TestClassifierGraphs(t *testing.T) {
	b, err := Load(tinyClassifier)
	if err != nil {
		t.Fatal(err)
	}
	m := b.Manifest
	m.Head.Kind = QuantileHead
	cache := cacheNames(&m, gateOf(t, b, ContextGraph).outputs)
	if err := gateOf(t, b, QueryGraph).agrees(QueryGraph, &m, cache); err == nil ||
		!strings.Contains(err.Error(), "outputs are [logits] instead of [quantiles]") {
		t.Errorf("error %v", err)
	}
}

// gateOf returns what the gate learns about a graph.
func gateOf(t *testing.T, b *Bundle, name string) *gate {
	t.Helper()
	data, err := b.Graph(name)
	if err != nil {
		t.Fatal(err)
	}
	g, err := inspectGraph(data)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
