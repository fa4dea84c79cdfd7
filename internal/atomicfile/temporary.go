package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Prefix and suffix of temporary names.
const prefix, suffix = ".pfnamp-", ".tmp"

// temporaryName returns a new name in a folder. With swept, it contains the start of the machine.
func temporaryName(folder string, swept bool) string {
	name := fmt.Sprintf("%016x", rand.Uint64())
	if swept && boot() != "" {
		name = boot() + "-" + name
	}
	return filepath.Join(folder, prefix+name+suffix)
}

// createNamed opens a new file with a temporary name in a folder. The file is locked, if the file
// system supports locks.
func createNamed(folder string) (*os.File, string, error) {
	open := func(path string) (*os.File, error) {
		return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	}
	return create(folder, OpCreate, open)
}

// create creates something with a temporary name and locks it. If it cannot be locked, it gets a
// name that is not swept. If it was swept before it was locked, it is created again.
func create(folder string, op Op, open func(path string) (*os.File, error)) (
	file *os.File, path string, err error,
) {
	for swept := true; ; {
		path = temporaryName(folder, swept)
		err = try(op, func() error { file, err = open(path); return err })
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil || !swept {
			return file, path, err
		}
		swept = lock(file) == nil
		if swept && isAt(file, path) {
			return file, path, nil
		}
		file.Close()
		os.Remove(path)
	}
}

// isAt reports whether a path leads to an open file.
func isAt(file *os.File, path string) bool {
	opened, err := file.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(opened, there)
}

// name gives an unnamed file a temporary name. If the file system or a policy does not allow a
// link, it copies the file.
func (f *File) name() error {
	if f.temp != "" || f.target == "" {
		return nil
	}
	folder := filepath.Dir(f.target)
	for {
		path := temporaryName(folder, f.locked)
		err := try(OpLink, func() error { return linkUnnamed(f.file, path) })
		if err == nil {
			f.temp = path
			return nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return f.copyNamed(folder)
		}
	}
}

// copyNamed copies a file without a name to one with a temporary name.
func (f *File) copyNamed(folder string) error {
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	file, path, err := createNamed(folder)
	if err != nil {
		return err
	}
	old := f.file
	defer old.Close()
	f.file, f.temp, f.finished = file, path, false
	if _, err := io.Copy(f, io.NewSectionReader(old, 0, info.Size())); err != nil {
		return err
	}
	if err := try(OpChmod, func() error { return file.Chmod(info.Mode().Perm()) }); err != nil {
		return err
	}
	return f.Finish()
}

// swept are the folders in which this process has already removed files of killed processes.
var swept sync.Map

// sweep removes files of killed processes from a folder, once: those with a temporary name of this
// start of the machine and no lock. A live process locks its file before it checks that the name
// still exists, see create. Another machine, which may not see the lock on a shared disk, has other
// names.
func sweep(folder string) {
	path, err := filepath.Abs(folder)
	if err != nil || boot() == "" {
		return
	}
	if _, done := swept.LoadOrStore(path, true); done {
		return
	}
	dir, err := os.Open(path)
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		if strings.HasPrefix(name, prefix+boot()+"-") && strings.HasSuffix(name, suffix) {
			removeStale(filepath.Join(path, name))
		}
	}
}

// removeStale removes a file or folder that nobody has locked.
func removeStale(path string) {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() && !info.Mode().IsRegular() {
		return
	}
	how := os.O_RDWR
	if info.IsDir() {
		how = os.O_RDONLY
	}
	file, err := os.OpenFile(path, how|staleFlags, 0)
	if err != nil {
		return
	}
	defer file.Close()
	if tryLock(file) == nil && isAt(file, path) {
		os.RemoveAll(path)
	}
}
