package main

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// TestInterruptLeavesNothing stops predictions that wait for further query
// rows.
func TestInterruptLeavesNothing(t *testing.T) {
	besideTiny(t)
	for signal, want := range map[syscall.Signal]int{
		syscall.SIGINT: fault.ExitInterrupted, syscall.SIGTERM: fault.ExitTerminated,
	} {
		input, feed := io.Pipe()
		go func() {
			_, _ = io.WriteString(feed, "a\n1\n2\n") // and nothing more
		}()
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(2*time.Second, func() { cancel(stoppedBy(signal)) })
		var errors bytes.Buffer
		got := program(ctx, stdio.Streams{In: input, Out: io.Discard, Err: &errors},
			strings.Fields("pfnamp predict t.csv - -y y --chains 50 -o out.csv"))
		if got != want {
			t.Errorf("%v: exit status %d, want %d\n%s", signal, got, want, &errors)
		}
		if left := fileNames(t, "."); len(left) != 1 {
			t.Errorf("%v: files left behind: %v", signal, left)
		}
	}
}

// testdataPath is the absolute path of something in testdata.
func testdataPath(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", "testdata", name))
	must.Succeed(t, err)
	return path
}

// besideTiny makes a new working folder with the table t.csv. The model is the fixture tiny.
func besideTiny(t *testing.T) {
	t.Helper()
	t.Setenv("PFNAMP_ORT_LIB", orttest.Library(t))
	t.Setenv("PFNAMP_MODEL", testdataPath(t, "tiny"))
	t.Chdir(t.TempDir())
	write(t, "t.csv", "a,y\n1,2\n2,3\n3,5\n4,4\n")
}
