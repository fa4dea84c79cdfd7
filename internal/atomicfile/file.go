// Package atomicfile writes files that appear complete or not at all.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// A File is written under a temporary name in the folder of its destination
// and takes the place of the destination at Commit. A destination that is not
// a regular file, such as a pipe or /dev/null, is written directly.
type File struct {
	*os.File
	target string // "" where the destination is written directly
	done   bool
}

// Create opens a file for writing. It fails at once where the destination is
// a folder or not writable, or where its folder does not exist or is not
// writable. Its errors, and those of Commit, do not name the destination.
func Create(path string) (*File, error) {
	target, mode, err := destination(path)
	if err != nil {
		return nil, Cause(err)
	}
	if target == "" {
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, Cause(err)
		}
		return &File{File: file}, nil
	}
	file, err := temporary(filepath.Dir(target))
	if err != nil {
		return nil, err
	}
	f := &File{File: file, target: target}
	if mode != 0 {
		if err := file.Chmod(mode); err != nil {
			return nil, errors.Join(Cause(err), f.Abort())
		}
	}
	return f, nil
}

// destination is the file that a path leads to through symbolic links, "" if
// it is to be written directly, and its permissions if it exists.
func destination(path string) (string, fs.FileMode, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(path); err == nil {
			return "", 0, errors.New("it is a link to a file that does not exist")
		}
		return path, 0, nil
	case err != nil:
		return "", 0, err
	case info.IsDir():
		return "", 0, errors.New("it is a folder, not a file")
	case !info.Mode().IsRegular():
		return "", 0, nil
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0) // is it writable?
	if err != nil {
		return "", 0, err
	}
	file.Close()
	target, err := filepath.EvalSymlinks(path)
	return target, info.Mode().Perm(), err
}

// temporary opens a new file in a folder.
func temporary(folder string) (*os.File, error) {
	for {
		name := fmt.Sprintf(".pfnamp-%08x.tmp", rand.Uint32())
		file, err := os.OpenFile(filepath.Join(folder, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		switch {
		case errors.Is(err, fs.ErrExist):
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("its folder %s does not exist", folder)
		case err != nil:
			return nil, fmt.Errorf("its folder %s is not writable: %w", folder, Cause(err))
		default:
			return file, nil
		}
	}
}

// Commit writes everything to disk and gives the file its name. After an
// error the destination is as it was before and the temporary is gone.
func (f *File) Commit() error {
	if f.done {
		return nil
	}
	if f.target == "" {
		f.done = true
		return f.Close()
	}
	err := f.Sync()
	if err == nil {
		err = f.Close()
	}
	if err == nil {
		err = os.Rename(f.Name(), f.target)
	}
	if err != nil {
		return errors.Join(Cause(err), f.Abort())
	}
	f.done = true
	syncFolder(filepath.Dir(f.target))
	return nil
}

// Abort removes what has been written, unless it was committed.
func (f *File) Abort() error {
	if f.done {
		return nil
	}
	f.done = true
	f.Close() // it may be closed already
	if f.target == "" {
		return nil
	}
	return os.Remove(f.Name())
}

// syncFolder makes a new name in a folder durable, where the system can do
// that; the file itself is safe all the same.
func syncFolder(path string) {
	if folder, err := os.Open(path); err == nil {
		_ = folder.Sync()
		folder.Close()
	}
}

// Cause strips the paths of an error of package os: the caller names the
// destination, and that of the temporary file means nothing to a user.
func Cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}
