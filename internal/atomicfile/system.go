package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"syscall"
)

// Op names an operation on the file system.
type Op string

// The operations of this package.
const (
	OpCreate  Op = "create"      // a file
	OpMkdir   Op = "mkdir"       // a folder
	OpWrite   Op = "write"       // a fault writes the first half
	OpSync    Op = "sync"        // of a file
	OpRename  Op = "rename"      // to a name, whether it is free or not
	OpRemove  Op = "remove"      // a temporary file or folder
	OpSyncDir Op = "sync folder" // the names in a folder
)

// Fault is nil except in tests. It is called before every operation; its error replaces the
// operation.
var Fault func(op Op) error

// try runs an operation, unless a test makes it fail.
func try(op Op, do func() error) error {
	if Fault != nil {
		if err := Fault(op); err != nil {
			return err
		}
	}
	return do()
}

// rename is os.Rename.
func rename(from, to string) error {
	return try(OpRename, func() error { return os.Rename(from, to) })
}

// syncFolder makes the names in a folder durable, if the system supports it and the process can
// read the folder.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil || runtime.GOOS == "windows" { // Windows has no such call
		return nil
	}
	defer folder.Close()
	err = try(OpSyncDir, folder.Sync)
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return err
}

// Cause strips the paths from an error of package os. The caller names the destination, and the
// temporary file's path means nothing to a user. It strips those of all joined errors.
func Cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	ofPath, ofLink := errors.As(err, &path), errors.As(err, &link)
	joined, many := err.(interface{ Unwrap() []error })
	switch {
	case !ofPath && !ofLink:
		return err
	case many:
		var causes []error
		for _, part := range joined.Unwrap() {
			causes = append(causes, Cause(part))
		}
		return errors.Join(causes...)
	case ofPath:
		return path.Err
	}
	return link.Err
}
