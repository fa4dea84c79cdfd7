//go:build cgo && (linux || darwin || windows)

package ort

import (
	"fmt"
	"sync"
	"sync/atomic"

	onnx "github.com/yalue/onnxruntime_go"
)

// env is the one onnxruntime environment of the process: the binding keeps it in globals, so there
// can be no more than one.
var env environment

// An environment is shared by every Runtime that was started and not yet closed.
type environment struct {
	mu      sync.Mutex // guards users and rt, and serialises start and stop
	users   int
	rt      *Runtime
	live    atomic.Int64
	stuck   atomic.Int64 // native calls that were given up
	signals guard
}

// A Runtime is the running onnxruntime environment.
type Runtime struct {
	lib Library
}

// Start loads lib and creates the environment of the process, with telemetry off and nothing
// printed. A second Start with the same library returns the same Runtime; with another library it
// is an error as long as the first has not been closed. Every Start needs its Close.
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

// Library returns what the runtime was started with.
func (r *Runtime) Library() Library { return r.lib }

// Close ends one Start; the last one releases the environment, or returns [ErrStuck] where a native
// call was given up. Sessions must have been closed.
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
		return ErrStuck // the next Start goes on with this environment
	}
	env.rt = nil
	return statusError("stopping", stop())
}

// stop releases the environment. The library stays loaded, because probe holds it: unloading a
// C++ library whose threads may still be ending is not safe.
func stop() error {
	err := onnx.DestroyEnvironment()
	if err == nil {
		env.live.Add(-1)
	}
	return err
}

// Live returns the number of native handles (environment, sessions, options, values) that have
// been created and not yet freed.
func Live() int64 { return env.live.Load() }
