package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// word is an argument of a command line, quoted or not.
var word = regexp.MustCompile(`'[^']*'|\S+`)

// TestReadmeCommands runs every `$ build/bin/pfnamp` line of the README on
// real tables, with few chains where there are any.
func TestReadmeCommands(t *testing.T) {
	t.Setenv("PFNAMP_ORT_LIB", orttest.Library(t))
	all := pageCommands(t, filepath.Join("..", "..", "README.md"))
	writeReadmeTables(t)
	commands := 0
	for _, c := range all {
		command, ok := strings.CutPrefix(c.line, "build/bin/pfnamp ")
		if !ok {
			continue
		}
		commands++
		command, _, _ = strings.Cut(command, " # ")
		if strings.HasPrefix(command, "predict ") {
			command += " --chains 200"
		}
		ends(t, command, fault.ExitOK)
	}
	if commands < 2 {
		t.Errorf("%d commands found in the README", commands)
	}
}

// writeReadmeTables makes a new working folder with the tables that the
// README speaks of: those of make demo, and train.csv and test.csv, target y.
func writeReadmeTables(t *testing.T) {
	t.Helper()
	data := readFile(t, filepath.Join("..", "..", "testdata", "diabetes.csv"))
	t.Chdir(t.TempDir())
	must.Succeed(t, os.MkdirAll(filepath.Join("build", "demo"), 0o700))
	lines := strings.SplitAfter(string(data), "\n")
	for name, rows := range map[string][]string{
		"train.csv": lines[1:101], "test.csv": lines[101:121],
	} {
		table := lines[0] + strings.Join(rows, "")
		write(t, filepath.Join("build", "demo", name), table)
		write(t, name, strings.Replace(table, "progression", "y", 1))
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	must.Succeed(t, err)
	return data
}

// ends runs a command line that must end with this status and messages with all words, and returns
// its output and messages.
func ends(t *testing.T, line string, want int, words ...string) (out, message string) {
	t.Helper()
	status, out, message := runCommand(t, line)
	if status != want {
		t.Fatalf("%s: exit status %d, want %d\n%s", line, status, want, message)
	}
	must.Hold(t, line, message, words...)
	return out, message
}

// runCommand runs one command line in this process.
func runCommand(t *testing.T, line string) (status int, out, message string) {
	t.Helper()
	args := []string{"pfnamp"}
	for _, arg := range word.FindAllString(line, -1) {
		args = append(args, strings.Trim(arg, "'"))
	}
	var stdout, stderr bytes.Buffer
	status = program(t.Context(), stdio.Streams{In: strings.NewReader(""), Out: &stdout, Err: &stderr},
		args)
	return status, stdout.String(), stderr.String()
}
