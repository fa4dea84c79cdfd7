package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// suffix ends every temporary name.
const suffix = ".tmp"

// prefix begins every temporary name. On Linux it contains the start of this machine: another
// machine, which may not see the locks on a shared disk, has other names.
var prefix = sync.OnceValue(func() string {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return fmt.Sprintf(".pfnamp-%s-", strings.TrimSpace(string(id)))
})

// create creates something with a temporary name in a folder and locks it. If it was swept before
// it was locked, it is created again.
func create(folder string, op Op, open func(path string) (*os.File, error)) (
	file *os.File, path string, err error,
) {
	sweep(folder)
	for {
		path = filepath.Join(folder, fmt.Sprintf("%s%016x%s", prefix(), rand.Uint64(), suffix))
		err = try(op, func() error { file, err = open(path); return err })
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, "", err
		}
		_ = lock(file, true) // a file system without locks is not swept either
		if isAt(file, path) {
			return file, path, nil
		}
		file.Close()
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

// swept are the folders in which this process has already removed files of killed processes.
var swept sync.Map

// sweep removes files and folders of killed processes, once from each folder: those with a
// temporary name that can be locked. A live process locks its own before it checks that the name
// still exists, see create.
func sweep(folder string) {
	path, err := filepath.Abs(folder)
	if _, done := swept.LoadOrStore(path, true); done || err != nil {
		return
	}
	entries, _ := os.ReadDir(path)
	for _, entry := range entries {
		name := entry.Name()
		if strings.HasPrefix(name, prefix()) && strings.HasSuffix(name, suffix) &&
			(entry.IsDir() || entry.Type().IsRegular()) {
			removeStale(filepath.Join(path, name), entry.IsDir())
		}
	}
}

// removeStale removes a file or folder that nobody has locked.
func removeStale(path string, isFolder bool) {
	how := os.O_RDWR
	if isFolder {
		how = os.O_RDONLY
	}
	file, err := os.OpenFile(path, how, 0)
	if err != nil {
		return
	}
	defer file.Close()
	if lock(file, false) == nil && isAt(file, path) {
		os.RemoveAll(path)
	}
}
