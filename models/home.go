package models

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Home is the folder of imported bundles, which need not exist: $XDG_DATA_HOME/pfnamp/models, by
// default ~/.local/share/pfnamp/models, on Windows %LOCALAPPDATA%\pfnamp\models. It fails if
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

// Find loads an embedded bundle by its name, "" standing for [Default], an imported one by its
// name, or a folder.
// An imported bundle takes precedence over a folder of the same name here, which ./NAME reaches.
// The error is an *[Error].
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
		bad.Hint = "`pfnamp models list` shows the bundles that can be named; " +
			"otherwise give a folder that holds manifest.json"
	}
	return bundle, err
}

// imported is the folder of the imported bundle of a name, or "". Anything with a slash is a path,
// never a name.
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

// FindHash loads the bundle whose manifest has the hash among those that are named, as [Find] does,
// or without names among the embedded and all imported ones. It is nil where there is none; the
// error is that of a name.
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
	home, _ := Home() // without one nothing is imported
	for _, folder := range []string{"", home} {
		list, _ := List(folder) // a folder that is not there has no bundle
		for _, found := range list {
			if found.Err == nil && found.Bundle.SHA256() == sha256 {
				return found.Bundle, nil
			}
		}
	}
	return nil, nil
}
