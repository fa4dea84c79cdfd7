package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// TestInterruptLeavesNothing stops predictions that wait for further query
// rows.
func TestInterruptLeavesNothing(t *testing.T) {
	t.Setenv("PFNAMP_ORT_LIB", orttest.Library(t))
	for signal, want := range map[syscall.Signal]int{
		syscall.SIGINT: fault.ExitInterrupted, syscall.SIGTERM: fault.ExitTerminated,
	} {
		folder := t.TempDir()
		train := filepath.Join(folder, "train.csv")
		if err := os.WriteFile(train, []byte("a,y\n1,2\n2,3\n3,5\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		input, feed := io.Pipe()
		go func() {
			_, _ = io.WriteString(feed, "a\n1\n2\n") // and nothing more
		}()
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(2*time.Second, func() { cancel(stoppedBy(signal)) })
		var errors bytes.Buffer
		got := program(ctx, stdio.Streams{In: input, Out: io.Discard, Err: &errors},
			strings.Fields("pfnamp predict "+train+" - -y y --chains 50 -o "+folder+"/out.csv"))
		if got != want {
			t.Errorf("%v: exit status %d, want %d\n%s", signal, got, want, &errors)
		}
		if entries, _ := os.ReadDir(folder); len(entries) != 1 {
			t.Errorf("%v: files left behind: %v", signal, entries)
		}
	}
}

// TestEvaluationResumesAfterInterrupt stops an evaluation after its first part and runs it again:
// the parts that were finished are kept, and the results are those of one run, times apart.
func TestEvaluationResumesAfterInterrupt(t *testing.T) {
	t.Setenv("PFNAMP_ORT_LIB", orttest.Library(t))
	t.Setenv("PFNAMP_MODEL", testdataPath(t, "tiny"))
	t.Chdir(t.TempDir())
	var table strings.Builder
	table.WriteString("a,y\n")
	for i := range 30 {
		fmt.Fprintf(&table, "%d,%d\n", i, i*i%17)
	}
	if err := os.WriteFile("data.csv", []byte(table.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	evaluation := func(ctx context.Context, folder string) int {
		return program(ctx, stdio.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard},
			strings.Fields("pfnamp evaluate data.csv -y y --splits 40 --bootstrap 2 --chains 20 "+
				"--steps 5 -o "+folder))
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		for ctx.Err() == nil {
			if cells, _ := filepath.Glob("a/cells/*.json"); len(cells) > 0 {
				cancel(stoppedBy(syscall.SIGINT))
			}
			time.Sleep(time.Millisecond)
		}
	}()
	if status := evaluation(ctx, "a"); status != fault.ExitInterrupted {
		t.Fatalf("interrupted: exit status %d", status)
	}
	first, _ := filepath.Glob("a/cells/*.json")
	if len(first) == 0 || len(first) == 40 {
		t.Fatalf("%d of 40 parts were finished", len(first))
	}
	kept := readFile(t, first[0])
	for _, folder := range []string{"a", "b"} {
		if status := evaluation(t.Context(), folder); status != fault.ExitOK {
			t.Fatalf("%s: exit status %d", folder, status)
		}
	}
	if !bytes.Equal(kept, readFile(t, first[0])) {
		t.Errorf("%s was computed again", first[0])
	}
	if a, b := untimed(t, "a/results.csv"), untimed(t, "b/results.csv"); a != b {
		t.Errorf("resumed:\n%s\nin one run:\n%s", a, b)
	}
}

// untimed reads results without the lines about times.
func untimed(t *testing.T, path string) string {
	t.Helper()
	var kept strings.Builder
	for line := range strings.Lines(string(readFile(t, path))) {
		if !strings.Contains(line, "time_s") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// testdataPath is the absolute path of something in testdata.
func testdataPath(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}
