package models

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp/internal/atomicfile"
)

// Home returns the folder of imported bundles, which need not exist: $XDG_DATA_HOME/pfnamp/models,
// by default ~/.local/share/pfnamp/models, on Windows %LOCALAPPDATA%\pfnamp\models. It fails if
// neither HOME nor XDG_DATA_HOME names a folder.
func Home() (string, error) {
	data := os.Getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(data) && runtime.GOOS == "windows" {
		data = os.Getenv("LOCALAPPDATA")
	}
	if !filepath.IsAbs(data) {
		home := os.Getenv("HOME")
		if !filepath.IsAbs(home) {
			return "", errors.New("there is no folder for bundles: set HOME or XDG_DATA_HOME")
		}
		data = filepath.Join(home, ".local", "share")
	}
	return filepath.Join(data, "pfnamp", "models"), nil
}

// Find loads a bundle: an embedded one by its name ("" means [Default]), an imported one by its
// name, or a folder. An imported bundle takes precedence over a folder of the same name in the
// working folder; write ./NAME for the folder. Every failure is an *[Error].
func Find(name string) (*Bundle, error) {
	if name == "" {
		return Default()
	}
	if in, ok := named(name); ok {
		return in.load()
	}
	if path := imported(name); path != "" {
		return Load(path)
	}
	bundle, err := Load(name)
	if _, missing := os.Stat(name); missing == nil || strings.ContainsRune(name, filepath.Separator) {
		return bundle, err
	}
	if bad, ok := errors.AsType[*Error](err); ok {
		bad.Hint = "`pfnamp models list` lists the names of bundles; " +
			"or name a folder with a manifest.json"
	}
	return bundle, err
}

// imported returns the folder of the imported bundle with this name, or "". A text with a slash is
// a path, never a name.
func imported(name string) string {
	dir, err := Home()
	if err != nil || CheckName(name) != nil {
		return ""
	}
	path := filepath.Join(dir, name)
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return ""
	}
	return path
}

// FindHash returns the bundle whose manifest has the hash. It searches the named bundles, as in
// [Find], or without names the embedded and all imported ones. It returns nil if there is none, and
// an error if a name cannot be loaded.
func FindHash(sha256 string, names ...string) (*Bundle, error) {
	for _, name := range names {
		b, err := Find(name)
		if err != nil || b.SHA256() == sha256 {
			return b, err
		}
	}
	if len(names) > 0 {
		return nil, nil
	}
	home, _ := Home() // without a folder, nothing is imported
	for _, folder := range []string{"", home} {
		list, _ := List(folder) // a missing folder has no bundles
		for _, found := range list {
			if found.Err == nil && found.Bundle.SHA256() == sha256 {
				return found.Bundle, nil
			}
		}
	}
	return nil, nil
}

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
// If several processes install under one name, one of them succeeds. When a folder is replaced, the
// old one is .NAME.old for a moment.
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
