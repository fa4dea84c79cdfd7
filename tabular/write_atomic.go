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

// newPacker returns a compressor for an extension, .gz or .zst. Its output depends on its input
// alone.
func newPacker(w io.Writer, extension string) (io.WriteCloser, error) {
	if extension == ".gz" {
		return gzip.NewWriter(w), nil
	}
	return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
}
