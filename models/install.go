package models

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp/internal/atomicfile"
)

// CheckName returns an error if no bundle can be installed under a name: it has other characters
// than letters, digits and "._-+", a dot at the start, more than 100 characters, or is the name of
// an embedded bundle.
func CheckName(name string) error {
	_, taken := named(name)
	if !isName(name) || strings.HasPrefix(name, ".") || taken {
		return fmt.Errorf("%q cannot be the name of a bundle: use letters, digits and \"._-\", "+
			"no dot at the start and not the name of an embedded bundle", name)
	}
	return nil
}

// Install writes the checked files of the bundle, and no other files, to the folder dir/name, and
// returns its path. The folder appears completely or not at all. Install creates dir if needed.
//
// If the folder exists, Install fails with an error that wraps fs.ErrExist, unless replace is set.
// If several processes install under one name, one of them succeeds. Replacing is one step if the
// file system can exchange names (Linux). Elsewhere the old folder is .NAME.old for a moment.
func (b *Bundle) Install(dir, name string, replace bool) (string, error) {
	if err := CheckName(name); err != nil {
		return "", err
	}
	target := filepath.Join(dir, name)
	if _, err := os.Lstat(target); err == nil && !replace {
		return "", fmt.Errorf("%s: %w", target, fs.ErrExist)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	if err := atomicfile.WriteFolder(target, replace, b.write); err != nil {
		return "", fmt.Errorf("%s: %w", target, atomicfile.Cause(err))
	}
	return target, nil
}

// write puts the files of the bundle into a folder.
func (b *Bundle) write(folder *atomicfile.Folder) error {
	for _, file := range slices.Sorted(maps.Keys(b.files)) {
		if err := folder.WriteFile(file, b.files[file]); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b.Manifest.Graphs)) {
		file := b.Manifest.Graphs[name].File
		if _, kept := b.files[file]; kept {
			continue
		}
		data, err := b.Graph(name)
		if err == nil {
			err = folder.WriteFile(file, data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
