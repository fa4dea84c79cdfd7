package tabular

import (
	"errors"
	"os"
	"path/filepath"
)

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
