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
	"time"
)

// suffix ends every temporary name.
const suffix = ".tmp"

// prefix begins every temporary name. On Linux it contains the start of this machine: another
// machine, which may not see the locks on a shared disk, has other names.
var prefix = sync.OnceValue(func() string {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return fmt.Sprintf(".pfnamp-%s-", strings.TrimSpace(string(id)))
})

// create creates something with a temporary name in a folder and locks it.
func create(folder string, op Op, open func(path string) (*os.File, error)) (
	file *os.File, path string, err error,
) {
	sweep(folder)
	for {
		path = filepath.Join(folder, fmt.Sprintf("%s%016x%s", prefix(), rand.Uint64(), suffix))
		err = try(op, func() error { file, err = open(path); return err })
		if err == nil {
			_ = lock(file) // a file system without locks is not swept either
		}
		if !errors.Is(err, fs.ErrExist) {
			return file, path, err
		}
	}
}

// swept are the folders in which this process has already removed files of killed processes.
var swept sync.Map

// stale is the age from which a file without a lock is one of a killed process: a live one locks
// its files at once.
const stale = time.Minute

// sweep removes files and folders of killed processes, once from each folder.
func sweep(folder string) {
	path, err := filepath.Abs(folder)
	if _, done := swept.LoadOrStore(path, true); done || err != nil {
		return
	}
	entries, _ := os.ReadDir(path)
	for _, entry := range entries {
		name := entry.Name()
		info, err := entry.Info()
		if err != nil || !strings.HasPrefix(name, prefix()) || !strings.HasSuffix(name, suffix) ||
			!entry.IsDir() && !entry.Type().IsRegular() || time.Since(info.ModTime()) < stale {
			continue
		}
		if file, err := os.Open(filepath.Join(path, name)); err == nil {
			if lock(file) == nil {
				os.RemoveAll(file.Name())
			}
			file.Close()
		}
	}
}
