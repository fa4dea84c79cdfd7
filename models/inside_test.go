package models

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

// Embedded bundles are listed, the default first, and their names are taken. Each is that of its
// task.
func TestEmbeddedNames(t *testing.T) {
	found, err := List("")
	if err != nil || len(found) != len(inside) || found[0].Name != "default" {
		t.Fatalf("%+v, error %v", found, err)
	}
	all, err := Embedded()
	if err != nil || len(all) != len(found) || all[0].Manifest.Task != RegressionTask {
		t.Errorf("%d embedded bundles, error %v", len(all), err)
	}
	for i, l := range found {
		b, err := Find(l.Name)
		if err != nil || b != l.Bundle || b.Source != l.Path || CheckName(l.Name) == nil {
			t.Errorf("%+v: error %v", l, err)
		}
		if of, err := ForTask(inside[i].task); err != nil || of != b {
			t.Errorf("%s has another bundle than %s: %v", inside[i].task, l.Name, err)
		}
		if b.Manifest.Task != inside[i].task || !b.Sealed() {
			t.Errorf("%s: for the task %q, sealed %v", l.Name, b.Manifest.Task, b.Sealed())
		}
	}
	if _, err := ForTask("forecast"); err == nil {
		t.Error("a bundle for a task that there is not")
	}
}

// The folders of bundles beside this file are those in the list, and each is embedded whole.
func TestFoldersAreInside(t *testing.T) {
	manifests, err := filepath.Glob(filepath.Join("*", manifestFile))
	must.Succeed(t, err)
	var folders, listed []string
	for _, path := range manifests {
		folders = append(folders, filepath.Dir(path))
	}
	files, err := EmbeddedFiles()
	must.Succeed(t, err)
	for _, in := range inside {
		listed = append(listed, in.name)
		b, err := in.load()
		must.Succeed(t, err)
		found, err := fs.Glob(files[in.name], "*")
		if err != nil || len(found) != len(b.Manifest.Graphs)+4 {
			t.Errorf("%s: embedded are %q, error %v", in.name, found, err)
		}
		for _, name := range found {
			if _, err := os.Stat(filepath.Join(in.name, name)); err != nil {
				t.Error(err)
			}
		}
	}
	slices.Sort(listed)
	if !slices.Equal(folders, listed) {
		t.Errorf("folders with a manifest are %q, listed are %q", folders, listed)
	}
}
