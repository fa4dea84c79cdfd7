// Command words lists and checks the sentences that a person reads.
//
//	go run ./scripts/tools/words messages [KIND...]   messages by kind, each text once; counts
//	go run ./scripts/tools/words lint                 habits that make sentences hard to read
//
// Lint reads pages, messages and comments of Go. It reports a file, a line and a reason for each
// finding and ends with status 1 if there is one.
package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A text is prose at a place of a file.
type text struct {
	file string
	line int
	body string
	kind string // of a message
}

func main() {
	if err := run(os.Stdout, ".", os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "words:", err)
		os.Exit(1)
	}
}

// run does what a command line says with the tree below root.
func run(out io.Writer, root string, args []string) error {
	switch {
	case len(args) > 0 && args[0] == "messages":
		return listMessages(out, root, args[1:])
	case slices.Equal(args, []string{"lint"}):
		return runLint(out, root)
	}
	return fmt.Errorf("want messages or lint, not %q", args)
}

func runLint(out io.Writer, root string) error {
	found, err := lint(root)
	if err != nil {
		return err
	}
	for _, f := range found {
		fmt.Fprintln(out, f)
	}
	if len(found) > 0 {
		return fmt.Errorf("%d findings: write them by docs/reference/glossary.md and "+
			"CONTRIBUTING.md, in short sentences", len(found))
	}
	return nil
}

// messages collects what the program, the library, the Python package and the pages show.
func messages(root string) ([]text, error) {
	var all []text
	err := walk(root, func(path string) error {
		read := readerOf(path)
		if read == nil {
			return nil
		}
		source, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			return err
		}
		found, err := read(path, source)
		all = append(all, found...)
		return err
	})
	return all, err
}

// readerOf chooses what collects the messages of a file, nil if it shows none.
func readerOf(path string) func(string, []byte) ([]text, error) {
	switch {
	case hidden(path):
		return nil
	case strings.HasSuffix(path, ".go"):
		return goMessages
	case strings.HasPrefix(path, "python/pfnamp/") && strings.HasSuffix(path, ".py"):
		return pythonMessages
	case strings.HasSuffix(path, ".js"):
		return scriptMessages
	}
	return nil
}

// hidden tells files whose texts nobody meets who uses the program.
func hidden(path string) bool {
	for _, part := range []string{"_test.go", ".pb.go"} {
		if strings.HasSuffix(path, part) {
			return true
		}
	}
	for _, folder := range []string{"scripts/", "internal/orttest/", "internal/diskfault/",
		"models/pack/",
		"pfn/internal/ort/pack/", "examples/"} {
		if strings.HasPrefix(path, folder) {
			return true
		}
	}
	return strings.Contains(path, "testdata/")
}

// walk calls do with every file of the tree, by its path with slashes, in order.
func walk(root string, do func(path string) error) error {
	skipped := []string{".git", "build", "dist", ".venv", "node_modules", "runs"}
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains(skipped, d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		return do(filepath.ToSlash(relative))
	})
}
