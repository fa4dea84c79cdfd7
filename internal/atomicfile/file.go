// Package atomicfile writes files and folders that appear completely or not at all.
//
// A file is written under a temporary name beside its destination, synced and renamed. It is locked
// while its process lives: the next process that writes to the folder removes what a killed one has
// left (see sweep).
package atomicfile

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// A File is written in the folder of its destination and replaces the destination at Commit. A
// destination that is not a regular file, such as a pipe or /dev/null, is written directly.
type File struct {
	path     string // as given
	file     *os.File
	target   string // "" if the destination is written directly
	temp     string // temporary name, "" likewise
	finished bool
	err      error // of Finish
	done     bool  // committed or discarded
}

// Create opens a file for writing. It fails at once if the destination is a folder or not writable,
// or if its folder does not exist or is not writable. Errors of Create and Commit do not name the
// destination.
func Create(path string) (*File, error) {
	target, mode, err := destination(path)
	if err != nil {
		return nil, Cause(err)
	}
	f := &File{path: path, target: target}
	if target == "" {
		if f.file, err = os.OpenFile(path, os.O_WRONLY, 0); err != nil {
			return nil, Cause(err)
		}
		return f, nil
	}
	folder := filepath.Dir(target)
	f.file, f.temp, err = create(folder, OpCreate, func(path string) (*os.File, error) {
		return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	})
	if err != nil {
		return nil, fmt.Errorf("no file can be made in its folder %s: %w", folder, Cause(err))
	}
	if mode != 0 { // that of the file to replace
		if err := f.file.Chmod(mode); err != nil {
			return nil, errors.Join(Cause(err), f.Abort())
		}
	}
	return f, nil
}

// destination returns the file to which a path leads through symbolic links, and its permissions if
// it exists. It returns "" if the file must be written directly.
func destination(path string) (string, fs.FileMode, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(path); err == nil {
			return "", 0, errors.New("the path is a link to a file that does not exist")
		}
		named, name := filepath.Split(path)
		folder, err := filepath.EvalSymlinks(cmp.Or(named, "."))
		if errors.Is(err, fs.ErrNotExist) {
			return "", 0, fmt.Errorf("its folder %s does not exist", strings.TrimRight(named, `/\`))
		}
		return filepath.Join(folder, name), 0, err
	case err != nil:
		return "", 0, err
	case info.IsDir():
		return "", 0, errors.New("the path is a folder, not a file")
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

// Write implements [io.Writer].
func (f *File) Write(p []byte) (n int, err error) {
	if fault := try(OpWrite, func() error { return nil }); fault != nil {
		n, _ = f.file.Write(p[:len(p)/2])
		return n, fault
	}
	return f.file.Write(p)
}

// Size returns the number of bytes written.
func (f *File) Size() (int64, error) {
	info, err := f.file.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Finish writes everything to disk, so that only the name is missing. Commit calls it if needed.
func (f *File) Finish() error {
	if f.finished {
		return f.err
	}
	f.finished = true
	if f.target == "" {
		f.done = true
		f.err = Cause(try(OpSync, f.file.Close))
		return f.err
	}
	err := try(OpSync, f.file.Sync)
	if runtime.GOOS == "windows" { // Windows cannot rename an open file
		err = errors.Join(err, f.file.Close())
	}
	f.err = Cause(err)
	return f.err
}

// Commit writes everything to disk and gives the file its name. After an error the destination is
// as it was before and the temporary file is gone, with one exception: if the error is about the
// folder, the file is there, but may not survive a crash of the machine.
func (f *File) Commit() error {
	if failed := commit(f); failed != nil {
		return failed.Err
	}
	return nil
}

// Abort removes the output, unless it was committed.
func (f *File) Abort() error {
	if f.done {
		return nil
	}
	f.done = true
	if f.temp == "" {
		return f.file.Close()
	}
	err := try(OpRemove, func() error { return os.Remove(f.temp) })
	f.file.Close()                 // this also releases the lock
	if runtime.GOOS == "windows" { // Windows cannot remove an open file
		return os.Remove(f.temp)
	}
	return err
}

var _ io.Writer = (*File)(nil)
