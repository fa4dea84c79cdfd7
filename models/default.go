package models

import (
	"embed"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

//go:embed default/*.json default/*.onnx default/LICENSE
var embedded embed.FS

var loadDefault = sync.OnceValues(func() (*Bundle, error) {
	sub, err := fs.Sub(embedded, "default")
	if err != nil {
		return nil, err
	}
	return LoadFS(sub, "embedded")
})

// Default returns the bundle inside this binary. It is loaded and checked once.
func Default() (*Bundle, error) { return loadDefault() }

// Listing is one bundle found by List: Bundle, or the error that Load returned.
type Listing struct {
	Path   string // folder, or "embedded"
	Bundle *Bundle
	Err    error
}

// List returns the embedded bundle and, if dir is not empty, every sub-folder of dir that has a
// manifest and no dot at the start of its name, in order of name. A bundle that cannot be loaded
// is listed with its error; the error of List itself says that dir cannot be read.
func List(dir string) ([]Listing, error) {
	bundle, err := Default()
	found := []Listing{{Path: "embedded", Bundle: bundle, Err: err}}
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
