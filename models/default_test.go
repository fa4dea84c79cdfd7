package models

import (
	"testing"
)

// Every task has an embedded bundle.
func TestForTask(t *testing.T) {
	for task, name := range map[string]string{
		RegressionTask: RegressionName, ClassificationTask: ClassificationName,
	} {
		b, err := ForTask(task)
		if found, _ := Find(name); err != nil || b != found || b.Manifest.Task != task {
			t.Errorf("%s: %v, error %v", task, b, err)
		}
		if m, err := ManifestForTask(task); err != nil || m.Name != b.Manifest.Name {
			t.Errorf("%s: manifest of %q, error %v", task, m.Name, err)
		}
	}
}

// Embedded bundles are listed, the default first, and their names are taken.
func TestEmbeddedNames(t *testing.T) {
	found, err := List("")
	if err != nil || len(found) != len(inside) || found[0].Name != RegressionName {
		t.Fatalf("%+v, error %v", found, err)
	}
	all, err := Embedded()
	if err != nil || len(all) != len(found) || all[0].Manifest.Task != RegressionTask {
		t.Errorf("%d embedded bundles, error %v", len(all), err)
	}
	for _, l := range found {
		b, err := Find(l.Name)
		if err != nil || b != l.Bundle || b.Source != l.Path || CheckName(l.Name) == nil {
			t.Errorf("%+v: error %v", l, err)
		}
	}
}
