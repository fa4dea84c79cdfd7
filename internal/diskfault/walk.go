// Package diskfault makes file operations fail in tests, one after the other.
package diskfault

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"syscall"
	"testing"

	"github.com/pfnamp/pfnamp/internal/atomicfile"
)

// Fault is the failure of one call of the file system.
type Fault struct {
	Call int // from 1
	Op   atomicfile.Op
	Full bool // from then on the disk is full: nothing can be created, written or synced
}

// String names the fault.
func (f Fault) String() string {
	return fmt.Sprintf("call %d, %s: %v", f.Call, f.Op, f.err())
}

func (f Fault) err() error {
	if f.Full {
		return syscall.ENOSPC
	}
	return syscall.EIO
}

// needsRoom are the operations that fail on a full disk.
var needsRoom = []atomicfile.Op{atomicfile.OpCreate, atomicfile.OpMkdir, atomicfile.OpWrite,
	atomicfile.OpSync}

// Walk runs do with a fault at its first call of the file system, then with one at its second, and
// so on, until do ends before the fault: once with an error of this call only and once with a full
// disk from this call on. It calls prepare before each run, and check with the fault and the error
// of do after it. It returns the number of faults.
func Walk(t *testing.T, prepare func(), do func() error, check func(f Fault, err error)) int {
	t.Helper()
	defer func() { atomicfile.Fault = nil }()
	total := 0
	for _, full := range []bool{false, true} {
		for call := 1; ; call++ {
			prepare()
			w := &walk{at: Fault{Call: call, Full: full}}
			atomicfile.Fault = w.fault
			err := do()
			atomicfile.Fault = nil
			if w.calls < call {
				if err != nil {
					t.Fatalf("without a fault: %v", err)
				}
				break
			}
			total++
			check(w.at, err)
		}
	}
	return total
}

// walk counts calls.
type walk struct {
	sync.Mutex
	at    Fault
	calls int
}

// fault returns the error of the next call, if it must fail.
func (w *walk) fault(op atomicfile.Op) error {
	w.Lock()
	defer w.Unlock()
	w.calls++
	if w.calls == w.at.Call {
		w.at.Op = op
		return w.at.err()
	}
	if w.at.Full && w.calls > w.at.Call && slices.Contains(needsRoom, op) {
		return w.at.err()
	}
	return nil
}

// Files returns the contents of the files in a folder and its sub-folders, by path.
func Files(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	disk := os.DirFS(folder)
	err := fs.WalkDir(disk, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || name == ".":
			return err
		case entry.IsDir():
			files[name+"/"] = ""
			return nil
		}
		data, err := fs.ReadFile(disk, name)
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
