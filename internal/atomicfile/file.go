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

// A File is written beside its destination and takes its place at Commit.
type File struct {
	*os.File
	path string
	done bool
}

// Create opens a temporary file in the folder of path. It fails, and names
// path, where the folder does not exist or cannot be written, or where path
// is a folder.
func Create(path string) (*File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("cannot write %s: it is not a regular file", path)
	}
	for {
		name := fmt.Sprintf(".%s.%08x", filepath.Base(path), rand.Uint32())
		file, err := os.OpenFile(filepath.Join(filepath.Dir(path), name),
			os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("cannot write %s: %w", path, cause(err))
		}
		return &File{File: file, path: path}, nil
	}
}

// Commit writes everything to disk and gives the file its name. After an
// error the destination is as it was before and the temporary is gone.
func (f *File) Commit() error {
	if f.done {
		return nil
	}
	err := f.Sync()
	if err == nil {
		err = f.Close()
	}
	if err == nil {
		err = os.Rename(f.Name(), f.path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("writing %s: %w", f.path, cause(err)), f.Abort())
	}
	f.done = true
	return syncFolder(filepath.Dir(f.path))
}

// Abort removes what has been written, unless it was committed.
func (f *File) Abort() error {
	if f.done {
		return nil
	}
	f.done = true
	f.Close() // closing twice does no harm
	return os.Remove(f.Name())
}

// syncFolder makes a new name in a folder durable. Some file systems cannot
// sync folders; the file itself is safe on them all the same.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	_ = folder.Sync()
	return folder.Close()
}

// cause strips the name of the temporary file, which means nothing to a user.
func cause(err error) error {
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
