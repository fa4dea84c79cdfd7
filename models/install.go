package models

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// CheckName refuses a name under which no bundle can be installed: other characters than letters,
// digits and "._-+", a dot at the start, more than 100 characters, or "default", which is the
// embedded bundle.
func CheckName(name string) error {
	if !isName(name) || strings.HasPrefix(name, ".") || name == "default" {
		return fmt.Errorf("%q cannot be the name of a bundle: use letters, digits and \"._-\", "+
			"not \"default\" and no dot at the start", name)
	}
	return nil
}

// Install writes the files of the bundle, and nothing else that lay beside them, to the folder
// dir/name, which appears whole or not at all; dir is made if it does not exist. A folder that is
// there already is an error that wraps fs.ErrExist, unless replace says that it may go. What is
// written is what Load has checked. It returns the path of the folder.
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
	partial := filepath.Join(dir, fmt.Sprintf(".%s-%08x", name, rand.Uint32()))
	defer os.RemoveAll(partial)
	if err := b.write(partial); err != nil {
		return "", err
	}
	old := partial + ".old"
	err := os.Rename(target, old)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err := os.Rename(partial, target); err != nil {
		return "", errors.Join(err, ignoreMissing(os.Rename(old, target)))
	}
	return target, os.RemoveAll(old)
}

// write puts the files of the bundle into a folder that does not exist.
func (b *Bundle) write(dir string) error {
	place := func(file string) string { return filepath.Join(dir, filepath.FromSlash(file)) }
	for file, data := range b.files {
		if err := writeSynced(place(file), data); err != nil {
			return err
		}
	}
	for name, graph := range b.Manifest.Graphs {
		if _, kept := b.files[graph.File]; kept {
			continue
		}
		data, err := b.Graph(name)
		if err == nil {
			err = writeSynced(place(graph.File), data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// writeSynced writes a file and its folders to disk.
func writeSynced(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
