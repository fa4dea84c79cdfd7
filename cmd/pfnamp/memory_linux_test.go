package main

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// TestAddressSpace runs the program with too little address space: it says so, where threads that
// cannot start would end it with a dump and a status of usage; with as much as it asks for it runs.
// Below some 1.6 GiB Go itself may not start, which no program can word.
func TestAddressSpace(t *testing.T) {
	if raced {
		t.Skip("the race detector maps all there is")
	}
	t.Setenv("PFNAMP_ORT_LIB", orttest.Library(t))
	t.Setenv("PFNAMP_MODEL", testdataPath(t, "tiny"))
	t.Chdir(t.TempDir())
	write(t, "t.csv", "a,y\n1,2\n2,3\n3,5\n4,4\n")
	for _, c := range []struct {
		kibibytes string
		status    int
		want      string
	}{
		{"2000000", fault.ExitLimit, "(ulimit -v) is 1953 MiB, and pfnamp maps 2064 MiB"},
		{"2113536", fault.ExitOK, ""},
	} {
		var message bytes.Buffer
		command := exec.Command("sh", "-c", "ulimit -v "+c.kibibytes+
			" && exec pfnamp predict t.csv t.csv -y y --chains 20 -q -o o.csv --threads 2")
		command.Stderr = &message
		err := command.Run()
		if command.ProcessState == nil {
			t.Fatal(err)
		}
		if got := command.ProcessState.ExitCode(); got != c.status ||
			!strings.Contains(message.String(), c.want) || strings.Contains(message.String(), "goroutine ") {
			t.Errorf("%s KiB: exit status %d\n%.500s", c.kibibytes, got, message.String())
		}
	}
}
