//go:build linux || darwin

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// TestSignalWhileWaitingForAPipe: the first signal ends a program that waits for the other end of a
// named pipe, and nothing is left.
func TestSignalWhileWaitingForAPipe(t *testing.T) {
	t.Setenv("PFNAMP_ORT_LIB", orttest.Library(t))
	t.Setenv("PFNAMP_MODEL", testdataPath(t, "tiny"))
	t.Chdir(t.TempDir())
	write(t, "t.csv", "a,y\n1,2\n2,3\n3,5\n4,4\n")
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"predict pipe t.csv -y y", "predict t.csv pipe -y y", "predict t.csv t.csv -y y -o pipe --to csv",
		"predict t.csv t.csv -y y --plot p.png --summary s.csv -o pipe --to csv",
		"fit t.csv -y y -o pipe", "evaluate pipe -y y", "models import pipe",
	} {
		cmd := exec.Command("pfnamp", strings.Fields(line)...)
		var message bytes.Buffer
		cmd.Stderr = &message
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
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

// TestOutputThatTakesNothing: what was to be printed and is not is an error.
func TestOutputThatTakesNothing(t *testing.T) {
	t.Setenv("PFNAMP_ORT_LIB", orttest.Library(t))
	t.Setenv("PFNAMP_MODEL", testdataPath(t, "tiny"))
	t.Chdir(t.TempDir())
	write(t, "t.csv", "a,y\n1,2\n2,3\n3,5\n4,4\n")
	outputs := []string{">&-"}
	if _, err := os.Stat("/dev/full"); err == nil {
		outputs = append(outputs, ">/dev/full")
	}
	for _, output := range outputs {
		for _, line := range []string{
			"--help", "--version", "predict --help", "models", "models list", "completion fish",
			"predict t.csv t.csv -y y",
		} {
			out, err := exec.Command("sh", "-c", "exec pfnamp "+line+" "+output).CombinedOutput()
			exit, ok := err.(*exec.ExitError)
			if !ok || exit.ExitCode() != fault.ExitFailed || !bytes.Contains(out,
				[]byte("pfnamp: error: ")) {
				t.Errorf("pfnamp %s %s: %v\n%s", line, output, err, out)
			}
		}
	}
	line := "exec pfnamp predict t.csv t.csv -y y -o o.csv >&-"
	out, err := exec.Command("sh", "-c", line).CombinedOutput()
	if err != nil {
		t.Errorf("a closed output that nothing is written to: %v\n%s", err, out)
	}
}

// TestJUnitWithoutOutput: the file for a CI is written although nobody reads the rest.
func TestJUnitWithoutOutput(t *testing.T) {
	t.Setenv("PFNAMP_ORT_LIB", orttest.Library(t))
	model := testdataPath(t, "tiny")
	t.Chdir(t.TempDir())
	err := exec.Command("sh", "-c", `exec pfnamp models verify --junit j.xml "$0" "$0" >&-`,
		model).Run()
	exit, ok := err.(*exec.ExitError)
	if !ok || exit.ExitCode() != fault.ExitFailed {
		t.Error(err)
	}
	file, err := os.ReadFile("j.xml")
	if err != nil || bytes.Count(file, []byte("<testsuite ")) != 2 {
		t.Errorf("%v\n%s", err, file)
	}
}

// write writes a file.
func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// fileNames lists a folder.
func fileNames(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestShortOfAddressSpace: where memory is short, the message does not say that no library was
// found. It may be that of Go's runtime, which no program can replace.
func TestShortOfAddressSpace(t *testing.T) {
	t.Setenv("PFNAMP_MODEL", testdataPath(t, "tiny"))
	t.Setenv("PFNAMP_ORT_LIB", "")
	t.Setenv("VIRTUAL_ENV", filepath.Join(t.TempDir(), "venv"))
	python := filepath.Join(os.Getenv("VIRTUAL_ENV"), "lib", "python3.12", "site-packages",
		"onnxruntime", "capi") // a place of the search that is not asked for by name
	if err := os.MkdirAll(python, 0o700); err != nil {
		t.Fatal(err)
	}
	library, err := filepath.Abs(orttest.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(library, filepath.Join(python, filepath.Base(library))); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	write(t, "t.csv", "a,y\n1,2\n2,3\n3,5\n4,4\n")
	for _, kilobytes := range []string{"1000000", "1200000", "1400000", "1500000", "1600000"} {
		line := "ulimit -v " + kilobytes + "; exec pfnamp predict t.csv t.csv -y y -q -o o.csv"
		out, err := exec.Command("sh", "-c", line).CombinedOutput()
		if err != nil && bytes.Contains(out, []byte("no usable onnxruntime")) {
			t.Errorf("%s KB: %v\n%.2000s", kilobytes, err, out)
		}
	}
}
