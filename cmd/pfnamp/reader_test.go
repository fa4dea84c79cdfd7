package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// TestReadmeProgram puts the Go program of docs/guide/go.md into a folder of its own beside the
// clone, makes it a module as the page says, and runs it: it prints what its comment promises.
func TestReadmeProgram(t *testing.T) {
	_, program, _ := strings.Cut(repository(t, "docs/guide/go.md"), "\n```go\n")
	program, _, _ = strings.Cut(program, "```\n")
	_, promise, found := strings.Cut(program, "\t// Output:\n")
	if !found {
		t.Fatal("docs/guide/go.md has no Go program with its output")
	}
	promise, _, _ = strings.Cut(promise, "}\n")
	want := strings.ReplaceAll(promise, "\t// ", "")
	clone, err := filepath.Abs(filepath.Join("..", ".."))
	must.Succeed(t, err)
	folder := filepath.Join(t.TempDir(), "example")
	must.Succeed(t, os.Mkdir(folder, 0o700))
	write(t, filepath.Join(folder, "main.go"), program)
	// what `go mod tidy` asks the network for
	write(t, filepath.Join(folder, "go.sum"), repository(t, "go.sum"))
	if err := os.Symlink(clone, filepath.Join(folder, "..", "pfnamp")); err != nil {
		t.Skip(err)
	}
	run := func(arguments ...string) string {
		cmd := exec.Command("go", arguments...)
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off",
			"GOSUMDB=off", "PFNAMP_ORT_LIB="+orttest.Library(t))
		var problems strings.Builder
		cmd.Stderr = &problems
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go %v: %v\n%s", arguments, err, &problems)
		}
		return string(out)
	}
	run("mod", "init", "example")
	// the same path as in the tests, so that nothing is compiled again
	run("mod", "edit", "-require", "github.com/pfnamp/pfnamp@v0.0.0",
		"-replace", "github.com/pfnamp/pfnamp="+clone)
	if got := run("run", "."); got != want {
		t.Errorf("the program of docs/guide/go.md prints\n%s\nits comment says\n%s", got, want)
	}
}
