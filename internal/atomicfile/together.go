package atomicfile

import (
	"errors"
	"os"
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
// first gets its name. The first failure discards all, and restores destinations if the file system
// can exchange names in one step (Linux). If the process is killed or the machine crashes between
// two renames, the first files are renamed and the others are as before, each of them complete: no
// file system renames several files in one step.
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
	failed := prepare(files)
	if failed == nil {
		failed = placeAll(files)
	}
	for _, f := range files {
		if failed != nil {
			failed.Err = errors.Join(failed.Err, f.Abort())
		}
		f.file.Close() // Finish has tried; this also releases the lock
	}
	if failed != nil {
		return failed
	}
	return syncFolders(files)
}

// prepare writes all files to disk and gives them temporary names.
func prepare(files []*File) *Error {
	for _, step := range []func(*File) error{(*File).Finish, (*File).name} {
		for _, f := range files {
			if err := step(f); err != nil {
				return &Error{f.path, Cause(err)}
			}
		}
	}
	return nil
}

// placeAll renames files to their destinations, or none of them.
func placeAll(files []*File) *Error {
	files = slices.DeleteFunc(slices.Clone(files), func(f *File) bool { return f.target == "" })
	var undo []func() error
	for i, f := range files {
		back, err := f.place(i == len(files)-1)
		if err == nil {
			undo = append(undo, back)
			continue
		}
		failed := &Error{f.path, Cause(err)}
		for _, step := range slices.Backward(undo) {
			failed.Err = errors.Join(failed.Err, Cause(step()))
		}
		return failed
	}
	for _, f := range files {
		f.done = true
		if f.swapped { // if this fails, the next process sweeps it
			_ = try(OpRemove, func() error { return os.Remove(f.temp) })
		}
	}
	return nil
}

// place renames a file to its destination. Unless it is the last file, it keeps the old file under
// the temporary name and returns a function that restores it.
func (f *File) place(last bool) (undo func() error, err error) {
	move := func(from, to string) error {
		return try(OpRename, func() error { return os.Rename(from, to) })
	}
	swap := func() error {
		return try(OpExchange, func() error { return exchange(f.temp, f.target) })
	}
	if last {
		return nil, move(f.temp, f.target)
	}
	if info, err := os.Lstat(f.target); err != nil || !info.Mode().IsRegular() {
		return func() error { return move(f.target, f.temp) }, move(f.temp, f.target)
	}
	if err := swap(); !unsupported(err) {
		f.swapped = err == nil
		return swap, err
	}
	return func() error { f.done = true; return nil }, move(f.temp, f.target)
}

// syncFolders makes the names durable.
func syncFolders(files []*File) *Error {
	var synced []string
	for _, f := range files {
		folder := filepath.Dir(f.target)
		if f.target == "" || slices.Contains(synced, folder) {
			continue
		}
		synced = append(synced, folder)
		if err := syncFolder(folder); err != nil {
			return &Error{f.path, Cause(err)}
		}
	}
	return nil
}
