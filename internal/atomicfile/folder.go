package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
)

// Folder is filled under a temporary name beside its destination and replaces it at Commit.
type Folder struct {
	target string
	temp   string
	lock   *os.File // the folder: its lock shows that this process lives
	inside []string // folders inside, outer ones first
	done   bool
}

// CreateFolder starts a folder. The process must be allowed to create folders beside it.
func CreateFolder(target string) (*Folder, error) {
	parent := filepath.Dir(target)
	sweep(parent)
	open := func(path string) (*os.File, error) {
		if err := os.Mkdir(path, 0o755); err != nil {
			return nil, err
		}
		folder, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) { // swept before it was locked
			return nil, fs.ErrExist
		}
		if err != nil {
			os.Remove(path)
		}
		return folder, err
	}
	opened, path, err := create(parent, OpMkdir, open)
	if err != nil {
		return nil, err
	}
	if runtime.GOOS == "windows" { // Windows cannot rename an open folder
		opened.Close()
	}
	return &Folder{target: target, temp: path, lock: opened, inside: []string{path}}, nil
}

// WriteFile writes a file, by its slash-separated path in the folder, and creates the folders above
// it.
func (f *Folder) WriteFile(name string, data []byte) error {
	path := filepath.Join(f.temp, filepath.FromSlash(name))
	if err := f.mkdir(filepath.Dir(path)); err != nil {
		return err
	}
	var file *os.File
	err := try(OpCreate, func() (err error) {
		file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		return err
	})
	if err != nil {
		return err
	}
	written := &File{file: file}
	if _, err = written.Write(data); err == nil {
		err = try(OpSync, file.Sync)
	}
	return errors.Join(err, try(OpFlush, file.Close))
}

// mkdir creates a folder inside, and those above it.
func (f *Folder) mkdir(path string) error {
	if slices.Contains(f.inside, path) {
		return nil
	}
	if err := f.mkdir(filepath.Dir(path)); err != nil {
		return err
	}
	f.inside = append(f.inside, path)
	return try(OpMkdir, func() error { return os.Mkdir(path, 0o755) })
}

// Commit makes the folder durable and gives it its name. If a folder with this name exists, Commit
// fails with an error that wraps fs.ErrExist, unless replace is set. Then it exchanges the two in
// one step and removes the old one. If the file system cannot exchange, it first renames the old
// one to .NAME.old. If the process is killed at that moment, the old one stays there; the next
// commit to the name removes it.
//
// After an error the old folder is as it was and the new one is gone, with one exception: if the
// error is about the removal of the old folder, or about the folder above, the new folder has the
// name.
func (f *Folder) Commit(replace bool) error {
	if f.done {
		return nil
	}
	for _, path := range f.inside {
		if err := syncFolder(path); err != nil {
			return errors.Join(err, f.Abort())
		}
	}
	if err := f.place(replace); err != nil {
		return errors.Join(err, f.Abort())
	}
	f.done = true
	f.lock.Close()
	for _, old := range []string{f.temp, f.aside()} {
		if err := remove(old); err != nil {
			return err
		}
	}
	return syncFolder(filepath.Dir(f.target))
}

// place gives the folder its name.
func (f *Folder) place(replace bool) error {
	for range 10 { // others may create and remove the name meanwhile
		err := try(OpClaim, func() error { return claim(f.temp, f.target) })
		if unsupported(err) { // Windows renames a folder only to the name of an empty one
			err = try(OpRename, func() error { return os.Rename(f.temp, f.target) })
		}
		if !errors.Is(err, fs.ErrExist) || !replace {
			return err
		}
		err = try(OpExchange, func() error { return exchange(f.temp, f.target) })
		if unsupported(err) {
			err = f.replaceInTwo()
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return fmt.Errorf("%s: other processes keep creating and removing it", f.target)
}

// aside returns the temporary path of a folder that cannot be replaced in one step.
func (f *Folder) aside() string {
	dir, name := filepath.Split(f.target)
	return filepath.Join(dir, "."+name+".old")
}

// replaceInTwo replaces a folder if the file system cannot exchange names.
func (f *Folder) replaceInTwo() error {
	move := func(from, to string) error {
		return try(OpRename, func() error { return os.Rename(from, to) })
	}
	if err := remove(f.aside()); err != nil {
		return err
	}
	if err := move(f.target, f.aside()); err != nil {
		return err
	}
	if err := move(f.temp, f.target); err != nil {
		return errors.Join(err, move(f.aside(), f.target))
	}
	return nil
}

// Abort removes the output, unless it was committed.
func (f *Folder) Abort() error {
	if f.done {
		return nil
	}
	f.done = true
	defer f.lock.Close()
	return remove(f.temp)
}

// remove removes a folder, or nothing.
func remove(path string) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return try(OpRemove, func() error { return os.RemoveAll(path) })
}
