package models

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// The bundle of a task is the embedded one, else the one imported under the name that stands for it.
func TestForTask(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_DATA_HOME", home)
	b, err := ForTask(RegressionTask)
	if found, _ := Find(RegressionName); err != nil || b != found || b.Manifest.Task != RegressionTask {
		t.Errorf("regression: %v, error %v", b, err)
	}
	if inside[ClassificationName] != nil {
		t.Skip("a classifier is embedded")
	}
	var none *NoBundleError
	if _, err := ForTask(ClassificationTask); !errors.As(err, &none) ||
		none.Task != ClassificationTask || none.Name != ClassificationName {
		t.Errorf("classification: error %v", err)
	}
	for folder, fits := range map[string]bool{"tabicl-classes": true, "tiny": false} {
		source, err := Load(filepath.Join("..", "testdata", folder))
		if err != nil {
			t.Fatal(err)
		}
		dir, err := Home()
		if err != nil {
			t.Fatal(err)
		}
		path, err := source.Install(dir, ClassificationName, true)
		if err != nil {
			t.Fatal(err)
		}
		b, err := ForTask(ClassificationTask)
		var bad *Error
		if fits && (err != nil || b.SHA256() != source.SHA256()) || !fits && !errors.As(err, &bad) {
			t.Errorf("%s: %v, error %v", folder, b, err)
		}
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
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
