//go:build cgo && (linux || darwin || windows)

package ort

import (
	"context"
	"fmt"
	"time"

	"github.com/pfnamp/pfnamp/internal/panics"
)

// attend makes a native call in a goroutine of its own and waits for it. When ctx ends, attend
// calls stop and waits; if the call then fails, the error wraps the cause.
//
// Some calls do not stop: the library optimises a graph to the end, however much there is to
// compute, and does not stop in a Loop whose body has no node. After the time of grace attend gives
// the call up and returns stuck as true: the call goes on, and nothing that it uses may be freed.
func attend(
	ctx context.Context, what string, grace time.Duration, native func() error, stop func(),
) (stuck bool, err error) {
	done := make(chan error, 1)
	go func() { done <- panics.Job(native)() }()
	select {
	case err := <-done:
		return false, err
	case <-ctx.Done():
	}
	stop()
	cause := fmt.Errorf("onnxruntime: %s: %w", what, context.Cause(ctx))
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case err := <-done:
		if err == nil {
			return false, nil
		}
		return false, cause
	case <-late.C:
		env.stuck.Add(1)
		return true, fmt.Errorf("%w; it did not stop within %v and was given up", cause, grace)
	}
}
