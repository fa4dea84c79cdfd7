package models

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// inside lists the bundles in this binary, in the order of lists. The first bundle of a task is the
// task's default. A new bundle needs a folder and a line here; embedding, packing and listing use
// this list.
var inside = []insider{
	embeddedIn("default", RegressionTask, "embedded"),
	embeddedIn("classifier", ClassificationTask, "embedded/classifier"),
}

// insider is a bundle in this binary.
type insider struct {
	name   string // of its folder
	task   string
	source string                  // its place in errors and lists
	load   func() (*Bundle, error) // reads and checks it, once
}

func embeddedIn(folder, task, source string) insider {
	return insider{folder, task, source, sync.OnceValues(func() (*Bundle, error) {
		sub, err := filesOf(folder)
		if err != nil {
			return nil, err
		}
		return LoadFS(sub, source)
	})}
}

func named(name string) (insider, bool) {
	i := slices.IndexFunc(inside, func(in insider) bool { return in.name == name })
	if i < 0 {
		return insider{}, false
	}
	return inside[i], true
}

// Default returns the regression bundle inside this binary. It is loaded and checked once.
func Default() (*Bundle, error) { return ForTask(RegressionTask) }

// Embedded returns all bundles inside this binary, [Default] first.
func Embedded() ([]*Bundle, error) {
	var all []*Bundle
	for _, in := range inside {
		b, err := in.load()
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, nil
}

// EmbeddedFiles returns the files of all bundles inside this binary, by the name of their folder.
// The command models/pack compresses them.
func EmbeddedFiles() (map[string]fs.FS, error) {
	all := map[string]fs.FS{}
	for _, in := range inside {
		files, err := filesOf(in.name)
		if err != nil {
			return nil, err
		}
		all[in.name] = files
	}
	return all, nil
}

// ForTask returns the embedded bundle of a task, [RegressionTask] or [ClassificationTask]. Every
// failure is an *[Error].
func ForTask(task string) (*Bundle, error) {
	i := slices.IndexFunc(inside, func(in insider) bool { return in.task == task })
	if i < 0 {
		return nil, &Error{Bundle: "embedded",
			Msg: fmt.Sprintf("no embedded bundle is for the task %q", task)}
	}
	return inside[i].load()
}

// Listing is one bundle found by List: Bundle, or the error that Load returned.
type Listing struct {
	Path   string // folder, or the place of an embedded bundle
	Name   string // of an embedded bundle, else ""
	Bundle *Bundle
	Err    error
}

// List returns the embedded bundles and, if dir is not empty, every sub-folder of dir that has a
// manifest and whose name does not start with a dot, in order of name. A bundle that cannot be
// loaded is listed with its error. List itself fails if dir cannot be read.
func List(dir string) ([]Listing, error) {
	var found []Listing
	for _, in := range inside {
		bundle, err := in.load()
		found = append(found, Listing{Path: in.source, Name: in.name, Bundle: bundle, Err: err})
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
