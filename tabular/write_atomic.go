package tabular

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
)

// An atomicFile is written under a temporary name in the folder of its target, and takes the
// place of the target when it is complete. A target that is not a regular file, such as a pipe
// or /dev/null, is written directly.
type atomicFile struct {
	*os.File
	target    string // "" for a file that is written directly
	temporary string
}

// createAtomic starts to write a file, after a check that it can take its place in the end.
func createAtomic(path string) (*atomicFile, error) {
	target, mode, err := writeTarget(path)
	if err != nil {
		return nil, err
	}
	if target == "" {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return &atomicFile{File: f}, nil
	}
	dir := filepath.Dir(target)
	if info, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return nil, &Error{Msg: fmt.Sprintf("its folder %s does not exist", dir)}
	} else if err == nil && !info.IsDir() {
		return nil, &Error{Msg: fmt.Sprintf("%s is not a folder", dir)}
	}
	for range 100 {
		name := filepath.Join(dir, fmt.Sprintf(".pfnamp-%08x.tmp", rand.Uint32()))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return nil, &Error{Msg: fmt.Sprintf("its folder %s is not writable", dir),
				Err: pathCause(err)}
		}
		a := &atomicFile{File: f, target: target, temporary: name}
		if mode != 0 {
			err = f.Chmod(mode)
		}
		if err != nil {
			return nil, errors.Join(err, a.abort())
		}
		return a, nil
	}
	return nil, &Error{Msg: fmt.Sprintf("no temporary file can be made in %s", dir)}
}

// writeTarget is the file that a path leads to through symbolic links, and its permissions if
// it exists; "" if it is to be written directly.
func writeTarget(path string) (string, os.FileMode, error) {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil {
			return "", 0, &Error{Msg: "is a link to a file that does not exist"}
		}
		return path, 0, nil
	}
	if err != nil {
		return "", 0, err
	}
	switch {
	case info.IsDir():
		return "", 0, &Error{Msg: "is a folder, not a file"}
	case !info.Mode().IsRegular():
		return "", 0, nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return "", 0, err
	}
	f.Close()
	target, err := filepath.EvalSymlinks(path)
	return target, info.Mode().Perm(), err
}

// commit makes sure that the file is on the disk and gives it its name.
func (a *atomicFile) commit() error {
	if a.target == "" {
		return a.Close()
	}
	if err := a.Sync(); err != nil {
		return err
	}
	if err := a.Close(); err != nil {
		return err
	}
	if err := os.Rename(a.temporary, a.target); err != nil {
		return err
	}
	a.temporary = ""
	return syncDir(filepath.Dir(a.target))
}

// syncDir makes sure that the names in a folder are on the disk, where the system can do that.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	_ = d.Sync()
	return nil
}

// abort removes the temporary file.
func (a *atomicFile) abort() error {
	err := a.Close()
	if errors.Is(err, os.ErrClosed) {
		err = nil
	}
	if a.temporary != "" {
		err = errors.Join(err, os.Remove(a.temporary))
		a.temporary = ""
	}
	return err
}

// samePlace tells whether two paths of files that do not exist name the same place.
func samePlace(a, b string) (bool, error) {
	var places [2]string
	for i, path := range []string{a, b} {
		full, err := filepath.Abs(path)
		if err != nil {
			return false, err
		}
		dir, name := filepath.Split(full)
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir = real
		}
		places[i] = filepath.Join(dir, name)
	}
	return places[0] == places[1], nil
}

// newPacker returns a compressor for an extension, .gz or .zst. Its output depends on its input
// alone.
func newPacker(w io.Writer, extension string) (io.WriteCloser, error) {
	if extension == ".gz" {
		return gzip.NewWriter(w), nil
	}
	return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
}
