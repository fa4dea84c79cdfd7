package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// verifyHostile starts `models verify` of a hostile bundle, with further flags.
func verifyHostile(t *testing.T, kind string, flags ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	t.Setenv("PFNAMP_ORT_LIB", orttest.Library(t))
	dir := filepath.Join(t.TempDir(), kind)
	must.Succeed(t, orttest.Hostile(kind, dir))
	flags = append([]string{"models", "verify", "--device", "cpu", dir}, flags...)
	cmd := exec.Command("pfnamp", flags...)
	var message bytes.Buffer
	cmd.Stderr = &message
	must.Succeed(t, cmd.Start())
	late := time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() })
	t.Cleanup(func() { late.Stop() })
	return cmd, &message
}

// childOf waits until a process has a child that has run for a while, and returns its number.
func childOf(t *testing.T, parent int) int {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("children are found in /proc")
	}
	for range 6000 {
		stats, _ := filepath.Glob("/proc/[0-9]*/stat")
		for _, stat := range stats {
			data, _ := os.ReadFile(stat)
			_, rest, _ := strings.Cut(string(data), ") ")
			fields := strings.Fields(rest) // from the third one of proc(5) on
			if len(fields) < 12 || fields[1] != strconv.Itoa(parent) {
				continue
			}
			if ticks, _ := strconv.Atoi(fields[11]); ticks > 30 {
				child, _ := strconv.Atoi(filepath.Base(filepath.Dir(stat)))
				return child
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("process %d has no child", parent)
	return 0
}

// gone waits until there is no process of this number, or fails.
func gone(t *testing.T, process int) {
	t.Helper()
	for range 3000 {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
		if _, rest, _ := strings.Cut(string(data), ") "); err != nil || strings.HasPrefix(rest, "Z") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d goes on", process)
}

// A child that crashes, or is killed, is an error that names the model.
func TestReplayThatCrashes(t *testing.T) {
	for signal, want := range map[syscall.Signal]string{
		syscall.SIGSEGV: "SIGSEGV", syscall.SIGKILL: "out of memory",
	} {
		cmd, message := verifyHostile(t, "endless", "--time-limit", "none")
		syscall.Kill(childOf(t, cmd.Process.Pid), signal)
		cmd.Wait()
		text := message.String()
		if got := cmd.ProcessState.ExitCode(); got != fault.ExitModel || !strings.Contains(text, want) ||
			!strings.Contains(text, "endless crashed: ") {
			t.Errorf("%v: exit status %d\n%s", signal, got, text)
		}
	}
}

// No child outlives the program, however that ends.
func TestReplayLeavesNoChild(t *testing.T) {
	for signal, want := range map[syscall.Signal]int{
		syscall.SIGTERM: fault.ExitTerminated, syscall.SIGINT: fault.ExitInterrupted, syscall.SIGKILL: -1,
	} {
		cmd, message := verifyHostile(t, "endless", "--time-limit", "none")
		child := childOf(t, cmd.Process.Pid)
		cmd.Process.Signal(signal)
		cmd.Wait()
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("%v: exit status %d\n%s", signal, got, message)
		}
		gone(t, child)
	}
}

// Graphs that do not end, even after they are asked to stop, or that take too much memory.
func TestReplayWithinBounds(t *testing.T) {
	type started struct {
		cmd     *exec.Cmd
		message *bytes.Buffer
		want    string
	}
	start := func(kind, limit, want string) started {
		cmd, message := verifyHostile(t, kind, "--time-limit", limit)
		return started{cmd, message, want}
	}
	const late = "model tiny 1 was stopped: replaying its golden vectors took longer than its time " +
		"limit of 3s"
	all := []started{start("endless", "3s", late), start("hollow", "3s", late),
		start("constant", "3s", late)}
	if runtime.GOOS == "linux" {
		all = append(all, start("hungry", "1m", "model tiny 1: "))
	}
	for _, s := range all {
		s.cmd.Wait()
		if got := s.cmd.ProcessState.ExitCode(); got != fault.ExitModel ||
			!strings.Contains(s.message.String(), s.want) {
			t.Errorf("%s: exit status %d\n%s", s.cmd, got, s.message)
		}
	}
}
