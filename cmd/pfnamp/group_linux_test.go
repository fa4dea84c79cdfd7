package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// controlGroup makes a control group with so many bytes of memory, of version 1 or 2, and returns
// its folder. It skips where this process may not: most users may not.
func controlGroup(t *testing.T, bytes int) string {
	t.Helper()
	for _, version := range []struct{ root, limit string }{
		{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"}, {"/sys/fs/cgroup", "memory.max"},
	} {
		folder := filepath.Join(version.root, fmt.Sprintf("pfnamp-test-%d", os.Getpid()))
		if os.Mkdir(folder, 0o755) != nil {
			continue
		}
		t.Cleanup(func() { os.Remove(folder) })
		// The kernel made the file, or this is no control group but an ordinary folder.
		limit, err := os.OpenFile(filepath.Join(folder, version.limit), os.O_WRONLY, 0)
		if err != nil {
			continue
		}
		_, err = fmt.Fprint(limit, bytes)
		if err = errors.Join(err, limit.Close()); err == nil {
			return folder
		}
	}
	t.Skip("no control group can be made here")
	return ""
}

// TestInsideControlGroup gives the program less memory than a context needs: it says so, and what
// it says to fit does fit, where the kernel would kill it otherwise.
func TestInsideControlGroup(t *testing.T) {
	t.Setenv("PFNAMP_ORT_LIB", orttest.Library(t))
	group := controlGroup(t, 256<<20)
	program := theProgram(t)
	table := filepath.Join(t.TempDir(), "t.csv")
	write(t, table, string(wavy(1000, 49, func(y float64) string { return fmt.Sprint(y) })))
	inside := func(more string) (int, string) {
		var message bytes.Buffer
		command := exec.CommandContext(t.Context(), "sh", "-c", "echo $$ > "+
			filepath.Join(group, "cgroup.procs")+" && exec \"$0\" \"$@\"", program)
		command.Args = append(command.Args, strings.Fields("predict "+table+" "+table+
			" -y y --chains 50 --threads 2 -q -o "+filepath.Join(t.TempDir(), "o.csv")+more)...)
		command.Stderr = &message
		if err := command.Run(); err != nil && command.ProcessState == nil {
			t.Fatal(err)
		}
		return command.ProcessState.ExitCode(), message.String()
	}
	status, message := inside("")
	if status != fault.ExitLimit || !strings.Contains(message, "the limit is 256 MiB") {
		t.Fatalf("exit status %d: %s", status, message)
	}
	_, rows, found := strings.Cut(message, "--subsample ")
	if !found {
		t.Fatalf("no number of rows is said to fit: %s", message)
	}
	fits := " --subsample " + strings.TrimRight(strings.Fields(rows)[0], ":;,")
	if _, batch, found := strings.Cut(message, " --batch "); found {
		fits += " --batch " + strings.TrimRight(strings.Fields(batch)[0], ":;,")
	}
	if status, message := inside(fits); status != fault.ExitOK {
		t.Errorf("%s: exit status %d: %s", fits, status, message)
	}
}
