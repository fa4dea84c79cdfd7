package atomicfile

import (
	"errors"
	"path/filepath"
	"slices"
)

// Error is the failure of one of several files that are committed together.
type Error struct {
	Path string // as given to Create
	Err  error
}

// Error implements error.
func (e *Error) Error() string { return e.Path + ": cannot be written: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Commit makes files appear together, in their order. It writes all of them to disk before the
// first gets its name. A failure until then discards all. If the process is killed, the machine
// crashes or a rename fails between two renames, the first files are renamed and the others are as
// before, each of them complete: no file system renames several files in one step.
//
// Every failure is an *[Error]. An error about a folder, which comes last, leaves the files in
// place, but they may not survive a crash of the machine.
func Commit(files ...*File) error {
	if failed := commit(files...); failed != nil {
		return failed
	}
	return nil
}

func commit(files ...*File) *Error {
	files = slices.DeleteFunc(slices.Clone(files), func(f *File) bool { return f.done })
	for _, step := range []func(*File) error{(*File).Finish, (*File).place, (*File).syncFolder} {
		for _, f := range files {
			if err := step(f); err != nil {
				failed := &Error{f.path, Cause(err)}
				for _, f := range files {
					failed.Err = errors.Join(failed.Err, f.Abort())
				}
				return failed
			}
		}
	}
	return nil
}

// place renames a file to its destination.
func (f *File) place() error {
	if f.target == "" {
		return nil
	}
	if err := rename(f.temp, f.target); err != nil {
		return err
	}
	f.done = true
	f.file.Close() // this also releases the lock
	return nil
}

// syncFolder makes the name durable.
func (f *File) syncFolder() error {
	if f.target == "" {
		return nil
	}
	return syncFolder(filepath.Dir(f.target))
}
