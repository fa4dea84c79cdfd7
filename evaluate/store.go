package evaluate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/pfnamp/pfnamp/internal/atomicfile"
)

// Store keeps the outcome of every finished cell in a file of its own, so that an interrupted run
// continues. It belongs to one setting. A nil *Store keeps nothing.
type Store struct{ folder string }

// DamagedError reports a file of a folder of results that is not as it was written.
type DamagedError struct{ File string }

// Error implements error.
func (e *DamagedError) Error() string {
	return e.File + ": it is damaged: its content is not what pfnamp wrote"
}

// StoreError reports a folder that holds the results of another setting.
type StoreError struct {
	Folder string
	Field  string // what differs
	Has    string // what the folder was made with
	Asked  string
}

// Error implements error.
func (e *StoreError) Error() string {
	return fmt.Sprintf("%s holds results of another setting: %s is %q there and %q now",
		e.Folder, e.Field, e.Has, e.Asked)
}

const settingFile, cellFolder = "setting.json", "cells"

// OpenStore opens or makes a folder for the results of a setting, given as names and values; it
// fails with a *StoreError if the folder holds those of another one.
func OpenStore(folder string, setting map[string]string) (*Store, error) {
	if err := os.MkdirAll(filepath.Join(folder, cellFolder), 0o777); err != nil {
		return nil, fmt.Errorf("%s: cannot be created: %w", folder, atomicfile.Cause(err))
	}
	if err := KeepSetting(filepath.Join(folder, settingFile), folder, setting); err != nil {
		return nil, err
	}
	return &Store{folder}, nil
}

// KeepSetting compares a setting with the one in a file, which it writes where there is none; it
// fails with a *StoreError about the folder where they differ.
func KeepSetting(path, folder string, setting map[string]string) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return writeJSON(path, setting)
	}
	if err != nil {
		return err
	}
	var has map[string]string
	if json.Unmarshal(text, &has) != nil {
		return &DamagedError{path}
	}
	if name, differ := OtherSetting(has, setting); differ {
		return &StoreError{folder, name, has[name], setting[name]}
	}
	return nil
}

// OtherSetting names the first entry, in the order of names, in which two settings differ; false
// for none.
func OtherSetting(a, b map[string]string) (name string, differ bool) {
	both := map[string]string{}
	maps.Copy(both, a)
	maps.Copy(both, b)
	for _, name := range slices.Sorted(maps.Keys(both)) {
		if a[name] != b[name] {
			return name, true
		}
	}
	return "", false
}

func (s *Store) load(key string) (Outcome, bool, error) {
	var o Outcome
	if s == nil {
		return o, false, nil
	}
	text, err := os.ReadFile(s.path(key))
	if errors.Is(err, fs.ErrNotExist) {
		return o, false, nil
	}
	if err != nil {
		return o, false, err
	}
	if json.Unmarshal(text, &o) != nil || !o.complete() {
		return Outcome{}, false, &DamagedError{s.path(key)}
	}
	return o, true, nil
}

// complete tells whether there is something in an outcome, and every figure says whose it is.
func (o Outcome) complete() bool {
	return len(o.Measures)+len(o.Curves) > 0 &&
		!slices.ContainsFunc(o.Measures, func(m Measure) bool { return m.Method == "" })
}

func (s *Store) save(key string, o Outcome) error {
	if s == nil || !o.complete() {
		return nil
	}
	return writeJSON(s.path(key), o)
}

func (s *Store) path(key string) string {
	return filepath.Join(s.folder, cellFolder, key+".json")
}

// writeJSON writes a file that appears complete or not at all.
func writeJSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	file, err := atomicfile.Create(path)
	if err != nil {
		return fmt.Errorf("%s: cannot be written: %w", path, err)
	}
	defer file.Abort()
	if _, err = file.Write(append(text, '\n')); err == nil {
		err = file.Commit()
	}
	if err != nil {
		return fmt.Errorf("%s: cannot be written: %w", path, atomicfile.Cause(err))
	}
	return nil
}
