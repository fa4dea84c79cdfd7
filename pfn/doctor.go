package pfn

import (
	"context"

	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// Facts is what Doctor finds out about the machine and onnxruntime.
type Facts = ort.Facts

// MemoryLimit returns the bytes that this process may take: those of the machine, or fewer where a
// control group (version 1 or 2) says so; 0 where neither is known. What other processes take of
// them is not subtracted.
func MemoryLimit() int64 { return ort.MemoryLimit() }

// Doctor collects facts about the machine, searches the onnxruntime library as Open does for an
// explicit path (empty to search) and runs a one-node graph on the device. A broken driver can hang
// or kill the process: a careful caller does this in a child process with a time limit.
func Doctor(ctx context.Context, path, device string) Facts {
	return ort.Doctor(ctx, path, device)
}
