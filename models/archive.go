package models

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// Limits of an archive. Weights hardly compress, and the texts beside them are small.
const (
	maxArchiveFiles = 1000
	maxArchiveBytes = 2*MaxGraphSize + maxGolden + maxManifest + maxLicence
	maxExpansion    = 20       // bytes per byte of the archive, or
	leastExpansion  = 64 << 20 // at least
)

// LoadArchive reads and checks the bundle in a .zip, .tar, .tar.gz or .tgz file, at its top or in
// its only folder. It unpacks files to one unnamed temporary file (in os.TempDir), which never
// stays. It refuses an archive that expands to more than 64 MiB and more than 20 times its size.
// Every failure is an *Error.
func LoadArchive(file string) (*Bundle, error) {
	fsys, err := unpack(file)
	var root fs.FS
	if err == nil {
		root, err = bundleRoot(fsys)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the archive ends early")
	}
	if err != nil {
		return nil, &Error{Bundle: file, Msg: "cannot read the archive", Err: err,
			Hint: "use a .zip, .tar, .tar.gz or .tgz file with one bundle"}
	}
	return loader{fsys: root, source: file, again: root, kept: keptGraph,
		files: map[string][]byte{}}.load()
}

// bundleRoot returns the file system, or its only folder, that has a manifest.
func bundleRoot(fsys spoolFS) (fs.FS, error) {
	if _, err := fs.Stat(fsys, manifestFile); err == nil {
		return fsys, nil
	}
	found, err := fs.Glob(fsys, "*/"+manifestFile)
	if err != nil || len(found) != 1 {
		return nil, fmt.Errorf("the archive has %d folders with a %s instead of one",
			len(found), manifestFile)
	}
	return fsys.folder(path.Dir(found[0])), nil
}

// unpacking is the state of unpacking an archive.
type unpacking struct {
	to     spoolFS
	size   int64 // bytes of the archive
	budget int64 // limit of its files' bytes in all
	left   int64 // remaining bytes
}

// unpack spools the files of an archive.
func unpack(file string) (spoolFS, error) {
	f, err := os.Open(file)
	if err != nil {
		return spoolFS{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return spoolFS{}, err
	}
	u := unpacking{size: info.Size()}
	u.budget = min(maxArchiveBytes, max(leastExpansion, maxExpansion*u.size))
	u.left = u.budget
	if u.to, err = newSpool(); err != nil {
		return spoolFS{}, err
	}
	switch {
	case strings.HasSuffix(file, ".zip"):
		err = u.zip(f)
	case strings.HasSuffix(file, ".tar"):
		err = u.tar(f)
	default:
		var text *gzip.Reader
		if text, err = gzip.NewReader(f); err == nil {
			err = u.tar(text)
		}
	}
	return u.to, err
}

// zip spools the files of a zip archive.
func (u *unpacking) zip(f *os.File) error {
	archive, err := zip.NewReader(f, u.size)
	if err != nil {
		return err
	}
	if len(archive.File) > maxArchiveFiles {
		return fmt.Errorf("more than %d files", maxArchiveFiles)
	}
	for _, file := range archive.File {
		if file.Mode().IsDir() {
			continue
		}
		if file.UncompressedSize64 > maxArchiveBytes {
			return u.tooMuch(file.Name, file.UncompressedSize64)
		}
		r, err := file.Open()
		if err != nil {
			return fmt.Errorf("file %q: %w", file.Name, err)
		}
		err = u.add(file.Name, file.Mode().IsRegular(), int64(file.UncompressedSize64), r)
		if err := errors.Join(err, r.Close()); err != nil {
			return err
		}
	}
	return nil
}

// tar spools the files of a tar archive.
func (u *unpacking) tar(in io.Reader) error {
	limited := &io.LimitedReader{R: in, N: u.budget + leastExpansion} // with headers and padding
	archive := tar.NewReader(limited)
	for {
		header, err := archive.Next()
		if limited.N <= 0 {
			return fmt.Errorf("the archive expands to more than %d bytes", u.budget+leastExpansion)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if header.Typeflag == tar.TypeDir || header.Typeflag == tar.TypeXGlobalHeader {
			continue
		}
		regular := header.Typeflag == tar.TypeReg
		if err := u.add(header.Name, regular, header.Size, archive); err != nil {
			return err
		}
	}
}

// add spools one file. Folders follow from the files in them. Links and devices are refused.
func (u *unpacking) add(given string, regular bool, size int64, r io.Reader) error {
	name := path.Clean(given)
	_, twice := u.to.files[name]
	switch {
	case !regular:
		return fmt.Errorf("%q is not a regular file", given)
	case !fs.ValidPath(name):
		return fmt.Errorf("the path %q leads out of the archive", given)
	case len(u.to.files) >= maxArchiveFiles:
		return fmt.Errorf("more than %d files", maxArchiveFiles)
	case twice:
		return fmt.Errorf("the file %q occurs twice", name)
	case size < 0 || size > u.left:
		return u.tooMuch(given, uint64(size))
	}
	n, err := u.to.add(name, io.LimitReader(r, size+1))
	if err != nil {
		return fmt.Errorf("file %q: %w", name, err)
	}
	if n > size {
		return fmt.Errorf("the file %q has more than the %d bytes in its header", name, size)
	}
	u.left -= n
	return nil
}

// tooMuch refuses a file that is too large according to its header.
func (u *unpacking) tooMuch(name string, size uint64) error {
	return fmt.Errorf("the file %q has %d bytes; all files of an archive of %d bytes may have %d",
		name, size, u.size, u.budget)
}
