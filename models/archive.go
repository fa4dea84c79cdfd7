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
// its only folder. It unpacks a tar archive to an unnamed temporary file (in os.TempDir), which
// never stays. It refuses an archive that expands to more than 64 MiB and more than 20 times its
// size. Every failure is an *Error.
func LoadArchive(file string) (*Bundle, error) {
	root, err := unpack(file)
	if err == nil {
		root, err = bundleRoot(root)
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
func bundleRoot(fsys fs.FS) (fs.FS, error) {
	if _, err := fs.Stat(fsys, manifestFile); err == nil {
		return fsys, nil
	}
	found, err := fs.Glob(fsys, "*/"+manifestFile)
	if err != nil || len(found) != 1 {
		return nil, fmt.Errorf("the archive has %d folders with a %s instead of one",
			len(found), manifestFile)
	}
	return fs.Sub(fsys, path.Dir(found[0]))
}

// unpacking checks the files of an archive.
type unpacking struct {
	size   int64           // bytes of the archive
	budget int64           // limit of its files' bytes in all
	left   int64           // remaining bytes
	names  map[string]bool // of the files so far
}

// unpack returns the files of an archive.
func unpack(file string) (fs.FS, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	u := unpacking{size: info.Size(), names: map[string]bool{}}
	u.budget = min(maxArchiveBytes, max(leastExpansion, maxExpansion*u.size))
	u.left = u.budget
	if strings.HasSuffix(file, ".zip") {
		return u.zip(f) // which stays open while somebody reads it
	}
	defer f.Close()
	if strings.HasSuffix(file, ".tar") {
		return u.tar(f)
	}
	text, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return u.tar(text)
}

func (u *unpacking) zip(f *os.File) (fs.FS, error) {
	archive, err := zip.NewReader(f, u.size)
	if err != nil {
		return nil, err
	}
	for _, file := range archive.File {
		mode, size := file.Mode(), file.UncompressedSize64
		if mode.IsDir() {
			continue
		}
		if _, err := u.admit(file.Name, mode.IsRegular(), int64(min(size, 1<<62))); err != nil {
			return nil, err
		}
	}
	return archive, nil
}

// tar writes the files of a tar archive to a temporary zip archive without a name, which
// disappears when nothing refers to it any more.
func (u *unpacking) tar(in io.Reader) (fs.FS, error) {
	spool, err := os.CreateTemp("", "pfnamp-*")
	if err == nil {
		err = os.Remove(spool.Name())
	}
	if err != nil {
		return nil, err
	}
	limited := &io.LimitedReader{R: in, N: u.budget + leastExpansion} // with headers and padding
	archive, out := tar.NewReader(limited), zip.NewWriter(spool)
	for {
		header, err := archive.Next()
		switch {
		case limited.N <= 0:
			return nil, fmt.Errorf("the archive expands to more than %d bytes", u.budget+leastExpansion)
		case err == io.EOF:
			if err := out.Close(); err != nil {
				return nil, err
			}
			size, err := spool.Seek(0, io.SeekCurrent)
			if err != nil {
				return nil, err
			}
			return zip.NewReader(spool, size)
		case err != nil:
			return nil, err
		case header.Typeflag == tar.TypeDir || header.Typeflag == tar.TypeXGlobalHeader:
			continue
		}
		name, err := u.admit(header.Name, header.Typeflag == tar.TypeReg, header.Size)
		if err != nil {
			return nil, err
		}
		file, err := out.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = io.Copy(file, archive)
		}
		if err != nil {
			return nil, fmt.Errorf("file %q: %w", name, err)
		}
	}
}

// admit returns the path of a file. Folders follow from the files in them. Links and devices are
// refused.
func (u *unpacking) admit(given string, regular bool, size int64) (name string, err error) {
	name = path.Clean(given)
	switch {
	case !regular:
		return "", fmt.Errorf("%q is not a regular file", given)
	case !fs.ValidPath(name):
		return "", fmt.Errorf("the path %q leads out of the archive", given)
	case len(u.names) >= maxArchiveFiles:
		return "", fmt.Errorf("more than %d files", maxArchiveFiles)
	case u.names[name]:
		return "", fmt.Errorf("the file %q occurs twice", name)
	case size > u.left:
		return "", fmt.Errorf("the file %q has %d bytes; all files of an archive of %d bytes may have %d",
			given, size, u.size, u.budget)
	}
	u.names[name] = true
	u.left -= size
	return name, nil
}
