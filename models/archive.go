package models

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"

	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"
)

// Bounds of an archive.
const (
	maxArchiveFiles = 1000
	maxArchiveBytes = 2*MaxGraphSize + maxGolden + maxManifest + maxLicence
)

// LoadArchive reads and checks the bundle in a .zip, .tar, .tar.gz or .tgz file: at its top or in
// its only folder. Nothing is unpacked to disk. Every failure is an *Error.
func LoadArchive(file string) (*Bundle, error) {
	fail := func(err error) (*Bundle, error) {
		return nil, &Error{Bundle: file, Msg: "cannot read the archive", Err: err,
			Hint: "give a .zip, .tar, .tar.gz or .tgz file that holds one bundle"}
	}
	var fsys fs.FS
	if strings.HasSuffix(file, ".zip") {
		archive, err := zip.OpenReader(file)
		if err != nil {
			return fail(err)
		}
		defer archive.Close()
		if len(archive.File) > maxArchiveFiles {
			return fail(fmt.Errorf("more than %d files", maxArchiveFiles))
		}
		fsys = archive
	} else {
		archive, err := readTar(file)
		if err != nil {
			return fail(err)
		}
		fsys = archive
	}
	fsys, err := bundleRoot(fsys)
	if err != nil {
		return fail(err)
	}
	return LoadFS(fsys, file)
}

// bundleRoot is the file system, or its only folder, that has a manifest.
func bundleRoot(fsys fs.FS) (fs.FS, error) {
	if _, err := fs.Stat(fsys, manifestFile); err == nil {
		return fsys, nil
	}
	found, err := fs.Glob(fsys, "*/"+manifestFile)
	if err != nil || len(found) != 1 {
		return nil, fmt.Errorf("%d folders with a %s, need one", len(found), manifestFile)
	}
	return fs.Sub(fsys, path.Dir(found[0]))
}

// readTar holds the regular files of a tar archive in memory.
func readTar(file string) (memoryFS, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var in io.Reader = f
	if !strings.HasSuffix(file, ".tar") {
		if in, err = gzip.NewReader(f); err != nil {
			return nil, err
		}
	}
	limited := &io.LimitedReader{R: in, N: maxArchiveBytes + 1}
	archive, files := tar.NewReader(limited), memoryFS{}
	for {
		header, err := archive.Next()
		if limited.N <= 0 {
			return nil, fmt.Errorf("more than %d bytes", int64(maxArchiveBytes))
		}
		if err == io.EOF {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		if err := files.add(header, archive); err != nil {
			return nil, err
		}
	}
}

// memoryFS are files in memory by their slash-separated paths.
type memoryFS map[string][]byte

// add reads one entry. Folders are implied by the files in them; links and devices are refused.
func (m memoryFS) add(header *tar.Header, r io.Reader) error {
	name := path.Clean(header.Name)
	switch {
	case header.Typeflag == tar.TypeDir || header.Typeflag == tar.TypeXGlobalHeader:
		return nil
	case header.Typeflag != tar.TypeReg:
		return fmt.Errorf("%q is not a regular file", header.Name)
	case !fs.ValidPath(name):
		return fmt.Errorf("path %q leaves the archive", header.Name)
	case len(m) >= maxArchiveFiles:
		return fmt.Errorf("more than %d files", maxArchiveFiles)
	}
	if _, twice := m[name]; twice {
		return fmt.Errorf("file %q twice", name)
	}
	var data bytes.Buffer // grows with what is there, whatever the header says
	if _, err := io.Copy(&data, r); err != nil {
		return err
	}
	m[name] = data.Bytes()
	return nil
}

// Open opens a file.
func (m memoryFS) Open(name string) (fs.File, error) {
	data, ok := m[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &memoryFile{*bytes.NewReader(data), path.Base(name)}, nil
}

// Glob returns the paths that match a pattern, in no order.
func (m memoryFS) Glob(pattern string) ([]string, error) {
	var found []string
	for name := range m {
		ok, err := path.Match(pattern, name)
		if err != nil {
			return nil, err
		}
		if ok {
			found = append(found, name)
		}
	}
	return found, nil
}

// Sub is the folder of that name.
func (m memoryFS) Sub(dir string) (fs.FS, error) {
	sub := memoryFS{}
	for name, data := range m {
		if rest, ok := strings.CutPrefix(name, dir+"/"); ok {
			sub[rest] = data
		}
	}
	return sub, nil
}

// memoryFile is an open file of a memoryFS, and its own description.
type memoryFile struct {
	bytes.Reader
	name string
}

// Stat describes the file.
func (f *memoryFile) Stat() (fs.FileInfo, error) { return f, nil }

// Close does nothing.
func (f *memoryFile) Close() error { return nil }

// Name is the last part of the path.
func (f *memoryFile) Name() string { return f.name }

// Mode is that of a regular file.
func (f *memoryFile) Mode() fs.FileMode { return 0o444 }

// ModTime is not known.
func (f *memoryFile) ModTime() time.Time { return time.Time{} }

// IsDir is false.
func (f *memoryFile) IsDir() bool { return false }

// Sys has nothing to add.
func (f *memoryFile) Sys() any { return nil }
