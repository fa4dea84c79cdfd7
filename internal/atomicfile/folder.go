package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// A Folder is filled under a temporary name beside its destination.
type Folder struct{ temp string }

// WriteFolder makes a folder that fill fills. The process must be allowed to create folders beside
// it. If a folder with this name exists, WriteFolder fails with an error that wraps fs.ErrExist,
// unless replace is set. Then it first renames the old one to .NAME.old, and removes it at the end.
// If the process is killed between, the old one stays there; the next run removes it.
//
// After an error the old folder is as it was and the new one is gone, with one exception: if the
// error is about the removal of the old folder, or about the folder above, the new folder has the
// name.
func WriteFolder(target string, replace bool, fill func(*Folder) error) error {
	lock, temp, err := create(filepath.Dir(target), OpMkdir, makeFolder)
	if err != nil {
		return err
	}
	defer lock.Close()
	if runtime.GOOS == "windows" { // Windows cannot rename an open folder
		lock.Close()
	}
	if err = fill(&Folder{temp}); err == nil {
		err = syncFolders(temp)
	}
	if err == nil {
		err = place(temp, target, replace)
	}
	if err != nil {
		return errors.Join(err, remove(temp))
	}
	for _, old := range []string{temp, aside(target)} {
		if err := remove(old); err != nil {
			return err
		}
	}
	return syncFolder(filepath.Dir(target))
}

// makeFolder makes and opens a folder.
func makeFolder(path string) (*os.File, error) {
	if err := os.Mkdir(path, 0o755); err != nil {
		return nil, err
	}
	return os.Open(path)
}

// WriteFile writes a file, by its slash-separated path in the folder, and creates the folders above
// it.
func (f *Folder) WriteFile(name string, data []byte) error {
	path := filepath.Join(f.temp, filepath.FromSlash(name))
	err := try(OpMkdir, func() error { return os.MkdirAll(filepath.Dir(path), 0o755) })
	if err != nil {
		return err
	}
	var file *os.File
	err = try(OpCreate, func() (err error) {
		file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		return err
	})
	if err != nil {
		return err
	}
	written := &File{file: file}
	if _, err = written.Write(data); err == nil {
		err = try(OpSync, file.Sync)
	}
	return errors.Join(err, file.Close())
}

// syncFolders makes the names in a folder and those inside durable.
func syncFolders(path string) error {
	return filepath.WalkDir(path, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		return syncFolder(path)
	})
}

// aside returns the path of a folder while it is replaced.
func aside(target string) string {
	dir, name := filepath.Split(target)
	return filepath.Join(dir, "."+name+".old")
}

// place gives a folder its name. A system renames a folder only to a name that is free or that of
// an empty folder: an old folder is renamed first.
func place(temp, target string, replace bool) error {
	err := rename(temp, target)
	if !errors.Is(err, fs.ErrExist) || !replace {
		return err
	}
	old := aside(target)
	if err := remove(old); err != nil {
		return err
	}
	if err := rename(target, old); err != nil {
		return err
	}
	if err := rename(temp, target); err != nil {
		return errors.Join(err, rename(old, target))
	}
	return nil
}

// remove removes a folder, or nothing.
func remove(path string) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return try(OpRemove, func() error { return os.RemoveAll(path) })
}
