//go:build cgo && (linux || darwin || windows)

package ort

import (
	"fmt"
	"sync"
	"sync/atomic"

	onnx "github.com/yalue/onnxruntime_go"
)

// env is the one onnxruntime environment of the process. The binding keeps it in globals, so there
// can be only one.
var env environment

// An environment is shared by every Runtime that was started and not yet closed.
type environment struct {
	mu      sync.Mutex // guards users and rt, and serialises start and stop
	users   int
	rt      *Runtime
	live    atomic.Int64
	stuck   atomic.Int64 // native calls that were abandoned
	signals guard
}

// A Runtime is the running onnxruntime environment.
type Runtime struct {
	lib Library
}

// Start loads lib and creates the environment of the process, without telemetry and output. A
// second Start with the same library returns the same Runtime; with another library it fails until
// the first Runtime is closed. Every Start needs its Close.
func Start(lib Library) (*Runtime, error) {
	env.mu.Lock()
	defer env.mu.Unlock()
	if env.rt != nil {
		if env.rt.lib.Path != lib.Path {
			return nil, fmt.Errorf("ort: starting %q: %q is already running",
				lib.Path, env.rt.lib.Path)
		}
		env.users++
		return env.rt, nil
	}
	silenceTelemetry()
	onnx.SetSharedLibraryPath(lib.Path)
	var err error
	keepingSignals(func() { err = onnx.InitializeEnvironment(onnx.WithLogLevelFatal()) })
	if err != nil {
		return nil, statusError("starting", err)
	}
	env.live.Add(1)
	if telemetryOff() {
		if err := onnx.DisableTelemetry(); err != nil {
			stop()
			return nil, statusError("disabling telemetry", err)
		}
	}
	env.rt, env.users = &Runtime{lib: lib}, 1
	return env.rt, nil
}

// Close ends one Start. The last one releases the environment, or returns [ErrStuck] if a native
// call was abandoned. Close all sessions first.
func (r *Runtime) Close() error {
	env.mu.Lock()
	defer env.mu.Unlock()
	if env.rt != r || env.users == 0 {
		return ErrClosed
	}
	if env.users--; env.users > 0 {
		return nil
	}
	if env.stuck.Load() > 0 {
		return ErrStuck // the next Start continues with this environment
	}
	env.rt = nil
	return statusError("stopping", stop())
}

// stop releases the environment. The library stays loaded, because unloading a C++ library while
// its threads may still be ending is unsafe.
func stop() error {
	err := onnx.DestroyEnvironment()
	if err == nil {
		env.live.Add(-1)
	}
	return err
}

// Live returns the number of native handles (environment, sessions, options, values) that are not
// yet freed.
func Live() int64 { return env.live.Load() }
