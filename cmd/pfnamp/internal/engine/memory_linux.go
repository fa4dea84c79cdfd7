package engine

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// LimitMemory bounds what this process may allocate, its threads and its own memory included, and
// makes it the first to be killed where the system runs short of memory.
func LimitMemory(bytes uint64) error {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_DATA, &limit); err != nil {
		return fmt.Errorf("reading the limit of memory: %w", err)
	}
	limit.Max = min(limit.Max, bytes)
	limit.Cur = min(limit.Cur, limit.Max)
	if err := unix.Setrlimit(unix.RLIMIT_DATA, &limit); err != nil {
		return fmt.Errorf("limiting memory to %d bytes: %w", bytes, err)
	}
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0) // where there is one
	return nil
}

// addressSpace is what this process may map, by `ulimit -v`; 0 for any.
func addressSpace() uint64 {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &limit) != nil || limit.Cur == unix.RLIM_INFINITY {
		return 0
	}
	return limit.Cur
}
