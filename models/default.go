package models

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

//go:embed default/*.json default/*.onnx default/LICENSE
var embedded embed.FS

// Names of the bundles that stand for a task where none is named.
const (
	RegressionName     = "default"
	ClassificationName = "classifier"
)

// inside are the embedded bundles by name, which is that of their folder: the pattern above and a
// line here embed another one.
var inside = map[string]func() (*Bundle, error){
	RegressionName: embeddedIn(RegressionName),
}

// embeddedIn loads the bundle of a folder, once.
func embeddedIn(folder string) func() (*Bundle, error) {
	return sync.OnceValues(func() (*Bundle, error) {
		sub, err := fs.Sub(embedded, folder)
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

// NoBundleError tells that no bundle stands for a task: none is embedded, and none is imported
// under the name that stands for it.
type NoBundleError struct{ Task, Name string }

// Error implements error.
func (e *NoBundleError) Error() string {
	return fmt.Sprintf("no model for %s: none is embedded, and none is imported under the name %q",
		e.Task, e.Name)
}

// ForTask returns the bundle that stands for a task: the embedded one or, where there is none, the
// one that is imported under its name, [RegressionName] or [ClassificationName]. Errors are a
// *[NoBundleError], or an *[Error] of a bundle that cannot be used or has another task.
func ForTask(task string) (*Bundle, error) {
	name := RegressionName
	if task == ClassificationTask {
		name = ClassificationName
	}
	if load, ok := inside[name]; ok {
		return load()
	}
	path := imported(name)
	if path == "" {
		return nil, &NoBundleError{task, name}
	}
	b, err := Load(path)
	if err == nil && b.Manifest.Task != task {
		return nil, &Error{Bundle: path, Msg: fmt.Sprintf("it is for %s, and its name stands for %s",
			b.Manifest.Task, task), Hint: "import it under another name"}
	}
	return b, err
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
