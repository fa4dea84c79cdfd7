//go:build linux || darwin

package main

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/internal/must"
)

// TestSignalWhileWaitingForAPipe: the first signal ends a program that waits for the other end of a
// named pipe, and nothing is left.
func TestSignalWhileWaitingForAPipe(t *testing.T) {
	besideTiny(t)
	must.Succeed(t, syscall.Mkfifo("pipe", 0o600))
	for _, line := range []string{
		"predict pipe t.csv -y y", "predict t.csv pipe -y y", "predict t.csv t.csv -y y -o pipe --to csv",
		"predict t.csv t.csv -y y --plot p.png --summary s.csv -o pipe --to csv",
		"fit t.csv -y y -o pipe", "evaluate pipe -y y", "models import pipe",
	} {
		cmd := exec.Command("pfnamp", strings.Fields(line)...)
		var message bytes.Buffer
		cmd.Stderr = &message
		must.Succeed(t, cmd.Start())
		late := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
		time.Sleep(500 * time.Millisecond)
		cmd.Process.Signal(syscall.SIGTERM)
		cmd.Wait()
		late.Stop()
		if got := cmd.ProcessState.ExitCode(); got != fault.ExitTerminated {
			t.Errorf("%s: exit status %d\n%s", line, got, &message)
		}
		if left := fileNames(t, "."); !slices.Equal(left, []string{"pipe", "t.csv"}) {
			t.Errorf("%s: left behind: %v", line, left)
		}
	}
}

// write writes a file.
func write(t *testing.T, name, text string) {
	t.Helper()
	must.Succeed(t, os.WriteFile(name, []byte(text), 0o600))
}

// fileNames lists a folder.
func fileNames(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must.Succeed(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
