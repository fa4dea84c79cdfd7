//go:build cgo && (linux || darwin)

package ort

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// child is set in a process that TestSilence starts.
const child = "PFNAMP_ORT_TEST_CHILD"

// TestSilence runs the noisy cases in a child and expects that the library neither prints nor
// leaves a file in the home, cache, temporary or working folder.
func TestSilence(t *testing.T) {
	library, err := filepath.Abs(orttest.Library(t))
	must.Succeed(t, err)
	self, err := os.Executable()
	must.Succeed(t, err)
	home := t.TempDir()
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestChild$")
	cmd.Dir = home
	cmd.Env = []string{child + "=" + library, "HOME=" + home, "TMPDIR=" + home, "PATH="}
	var out, noise bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &noise
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s%s", err, &out, &noise)
	}
	if noise.Len() > 0 {
		t.Errorf("standard error has:\n%s", &noise)
	}
	got, _, _ := strings.Cut(out.String(), "coverage:") // of go test -cover
	if got != "PASS\n" {
		t.Errorf("standard output has:\n%s", got)
	}
	err = filepath.WalkDir(home, func(path string, _ fs.DirEntry, err error) error {
		if path != home {
			t.Errorf("%s was created", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestChild is what TestSilence runs: every kind of failure that onnxruntime would log.
func TestChild(t *testing.T) {
	library := os.Getenv(child)
	if library == "" {
		t.Skip("runs in a child process only")
	}
	if facts := Doctor(t.Context(), library, "auto"); !facts.Smoke.OK || !facts.Telemetry.Off {
		t.Errorf("%+v", facts)
	}
	rt, model := startOf(t, library), endlessModel()
	for i := range model { // an error or a session, never a crash
		bad := bytes.Clone(model)
		bad[i] ^= 0x15
		if s, err := rt.NewSession(t.Context(), bad, SessionOptions{Threads: 1}); err == nil {
			s.Close()
		}
	}
	two, three := Tensor{[]int64{2, 1}, make([]float32, 2)}, Tensor{[]int64{3, 1}, make([]float32, 3)}
	add := open(t, rt, addModel())
	if _, err := add.Run(t.Context(), map[string]Tensor{"x": two, "y": three}); err == nil {
		t.Error("no error")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	one := Tensor{[]int64{1}, []float32{1}}
	if _, err := open(t, rt, model).Run(ctx, map[string]Tensor{"x": one}); err == nil {
		t.Error("no error")
	}
}

func TestTelemetryChoice(t *testing.T) {
	for value, off := range map[string]bool{"1": true, "true": true, "0": false, "": false} {
		t.Setenv(telemetryVariable, value)
		silenceTelemetry() // must not overrule the user
		if got := os.Getenv(telemetryVariable); got != value {
			t.Errorf("%q became %q", value, got)
		}
		if telemetryOff() != off {
			t.Errorf("%q: off is %v", value, !off)
		}
	}
	os.Unsetenv(telemetryVariable)
	silenceTelemetry()
	if !telemetryOff() {
		t.Error("telemetry is on by default")
	}
}
