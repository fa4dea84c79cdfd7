package models

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Names of the embedded bundles, one for each task.
const (
	RegressionName     = "default"
	ClassificationName = "classifier"
)

// inside are the embedded bundles by name, which is that of their folder.
var inside = map[string]func() (*Bundle, error){
	RegressionName:     embeddedIn(RegressionName),
	ClassificationName: embeddedIn(ClassificationName),
}

// embeddedIn loads the bundle of a folder, once.
func embeddedIn(folder string) func() (*Bundle, error) {
	return sync.OnceValues(func() (*Bundle, error) {
		sub, err := filesOf(folder)
		if err != nil {
			return nil, err
		}
		return LoadFS(sub, sourceOf(folder))
	})
}

// sourceOf is the place of an embedded bundle, as errors and lists name it.
func sourceOf(name string) string {
	if name == RegressionName {
		return "embedded"
	}
	return "embedded/" + name
}

// Default returns the bundle for regression inside this binary. It is loaded and checked once.
func Default() (*Bundle, error) { return inside[RegressionName]() }

// Embedded returns all bundles inside this binary, [Default] first.
func Embedded() ([]*Bundle, error) {
	var all []*Bundle
	for _, name := range names() {
		b, err := inside[name]()
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, nil
}

// names lists the names of the embedded bundles, that of the default first.
func names() []string {
	all := slices.Sorted(maps.Keys(inside))
	slices.Reverse(all) // "default" is after "classifier"
	return all
}

// ForTask returns the embedded bundle of a task, [RegressionTask] or [ClassificationTask]. Errors are
// an *[Error].
func ForTask(task string) (*Bundle, error) { return inside[nameFor(task)]() }

// ManifestForTask returns the manifest of that bundle, without the work of loading its graphs.
func ManifestForTask(task string) (Manifest, error) {
	files, err := filesOf(nameFor(task))
	if err != nil {
		return Manifest{}, err
	}
	data, err := fs.ReadFile(files, manifestFile)
	if err != nil {
		return Manifest{}, err
	}
	return parseManifest(data)
}

// nameFor is the name of the embedded bundle of a task.
func nameFor(task string) string {
	if task == ClassificationTask {
		return ClassificationName
	}
	return RegressionName
}

// Listing is one bundle found by List: Bundle, or the error that Load returned.
type Listing struct {
	Path   string // folder, or the place of an embedded one
	Name   string // of an embedded one, else ""
	Bundle *Bundle
	Err    error
}

// List returns the embedded bundles and, if dir is not empty, every sub-folder of dir that has a
// manifest and no dot at the start of its name, in order of name. A bundle that cannot be loaded
// is listed with its error; the error of List itself says that dir cannot be read.
func List(dir string) ([]Listing, error) {
	var found []Listing
	for _, name := range names() {
		bundle, err := inside[name]()
		found = append(found, Listing{Path: sourceOf(name), Name: name, Bundle: bundle, Err: err})
	}
	if dir == "" {
		return found, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, &Error{Bundle: dir, Msg: "cannot list bundles", Err: err}
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), ".") {
			continue // being installed
		}
		path := filepath.Join(dir, entry.Name())
		if _, err := os.Stat(filepath.Join(path, manifestFile)); err != nil {
			continue
		}
		bundle, err := Load(path)
		found = append(found, Listing{Path: path, Bundle: bundle, Err: err})
	}
	return found, nil
}
