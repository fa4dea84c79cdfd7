package pfn

import (
	"context"

	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// Facts describes the machine and onnxruntime, see [Doctor].
type Facts = ort.Facts

// Device says whether an onnxruntime library has a device.
type Device = ort.Device

// MemoryLimit returns the memory available to this process, in bytes: that of the machine, or less
// if a control group (version 1 or 2) limits it; 0 if neither is known. It does not subtract the
// memory of other processes.
func MemoryLimit() int64 { return ort.MemoryLimit() }

// Doctor describes the machine, searches the onnxruntime library like Open (path may be empty), and
// runs a graph with one node on the device. A broken driver can hang or kill the process, so run
// Doctor in a child process with a time limit.
func Doctor(ctx context.Context, path, device string) Facts {
	return ort.Doctor(ctx, path, device)
}
