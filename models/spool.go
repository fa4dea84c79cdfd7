package models

import (
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"
)

// spoolFS holds files one after the other in a temporary file, by their slash-separated paths. The
// file disappears when nothing refers to it any more.
type spoolFS struct {
	data  *os.File
	files map[string]span
}

// span is the position of a file in a spool.
type span struct{ at, size int64 }

// newSpool returns an empty spool. Its file has no name, so that it never stays.
func newSpool() (spoolFS, error) {
	f, err := os.CreateTemp("", "pfnamp-*")
	if err == nil {
		err = os.Remove(f.Name())
	}
	return spoolFS{f, map[string]span{}}, err
}

// add appends a file and returns its size.
func (s spoolFS) add(name string, r io.Reader) (int64, error) {
	at, err := s.data.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(s.data, r)
	s.files[name] = span{at, n}
	return n, err
}

// Open opens a file.
func (s spoolFS) Open(name string) (fs.File, error) {
	place, ok := s.files[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &spooled{*io.NewSectionReader(s.data, place.at, place.size), path.Base(name)}, nil
}

// Glob returns the paths that match a pattern, in no order.
func (s spoolFS) Glob(pattern string) ([]string, error) {
	var found []string
	for name := range s.files {
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

// folder returns the folder with this name.
func (s spoolFS) folder(dir string) spoolFS {
	sub := spoolFS{s.data, map[string]span{}}
	for name, place := range s.files {
		if rest, ok := strings.CutPrefix(name, dir+"/"); ok {
			sub.files[rest] = place
		}
	}
	return sub
}

// spooled is an open file of a spool, and its description.
type spooled struct {
	io.SectionReader
	name string
}

// Stat describes the file.
func (f *spooled) Stat() (fs.FileInfo, error) { return f, nil }

// Close does nothing.
func (f *spooled) Close() error { return nil }

// Name returns the last part of the path.
func (f *spooled) Name() string { return f.name }

// Mode returns the mode of a regular file.
func (f *spooled) Mode() fs.FileMode { return 0o444 }

// ModTime returns the zero time.
func (f *spooled) ModTime() time.Time { return time.Time{} }

// IsDir returns false.
func (f *spooled) IsDir() bool { return false }

// Sys returns nil.
func (f *spooled) Sys() any { return nil }

var _ fs.GlobFS = spoolFS{}
