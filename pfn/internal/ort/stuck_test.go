//go:build cgo && (linux || darwin)

package ort

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// stuckChild is set in the process that TestStuck starts.
const stuckChild = "PFNAMP_ORT_TEST_STUCK"

// stuckPassed is what that process prints when it has passed.
const stuckPassed = "given up\n"

// TestStuck runs TestStuckChild in a child, which ends although its native calls do not.
func TestStuck(t *testing.T) {
	self, err := os.Executable()
	must.Succeed(t, err)
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestStuckChild$")
	cmd.Env = append(os.Environ(), stuckChild+"="+orttest.Library(t))
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != stuckPassed {
		t.Errorf("%v\n%s", err, out)
	}
}

// A native call that does not stop is given up, and nothing that it uses is freed.
func TestStuckChild(t *testing.T) {
	library := os.Getenv(stuckChild)
	if library == "" {
		t.Skip("runs in a child process only")
	}
	lib, _, err := Find(library, "cpu")
	must.Succeed(t, err)
	rt, err := Start(lib)
	must.Succeed(t, err)
	brief := SessionOptions{Device: "cpu", grace: 50 * time.Millisecond}
	enough := errors.New("enough")
	stopped := func() context.Context {
		ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, enough)
		t.Cleanup(cancel)
		return ctx
	}
	s, err := rt.NewSession(t.Context(), hollowModel(), brief)
	must.Succeed(t, err)
	before := Live()
	in := map[string]Tensor{"x": {[]int64{1}, []float32{1}}}
	if _, err := s.Run(stopped(), in); !errors.Is(err, enough) {
		t.Fatalf("the run ended with %v", err)
	}
	if Live() == before {
		t.Error("what the run uses was freed")
	}
	long := foldedModel(1000, 1024)
	if _, err := rt.NewSession(stopped(), long, brief); !errors.Is(err, enough) {
		t.Errorf("loading ended with %v", err)
	}
	if err := s.Close(); !errors.Is(err, ErrStuck) {
		t.Errorf("closing the session: %v", err)
	}
	if err := rt.Close(); !errors.Is(err, ErrStuck) {
		t.Errorf("closing the runtime: %v", err)
	}
	again, err := Start(lib) // goes on with the same environment
	if err != nil || again != rt {
		t.Fatalf("starting again: %v", err)
	}
	add, err := again.NewSession(t.Context(), addModel(), SessionOptions{Device: "cpu"})
	must.Succeed(t, err)
	x := Tensor{[]int64{1, 1}, []float32{2}}
	out, err := add.Run(t.Context(), map[string]Tensor{"x": x, "y": x})
	if err != nil || out[0].Data[0] != 4 {
		t.Error(out, err)
	}
	if !t.Failed() {
		// At once, as os.Exit does without -race: the race detector would run the library's
		// destructors first, under the feet of the calls that go on.
		os.Stdout.WriteString(stuckPassed)
		syscall.Exit(0)
	}
}
