package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// repository reads a file of the repository.
func repository(t *testing.T, path string) string {
	t.Helper()
	return string(readFile(t, filepath.Join("..", "..", filepath.FromSlash(path))))
}

var (
	directModule   = regexp.MustCompile(`(?m)^\t([\w./~-]+) v\S+$`)         // direct ones of go.mod
	pipRequirement = regexp.MustCompile(`(?m)^([\w-]+)==`)                  // of pip
	reasonRow      = regexp.MustCompile("(?m)^\\| (`[^|]*) \\| ([^|]+)\\|") // of a table
)

// TestDependenciesHaveReasons: every direct dependency of the module and of the scripts is in a
// table of its page, with a reason, and nothing else is.
func TestDependenciesHaveReasons(t *testing.T) {
	needed := map[string]bool{}
	for _, match := range directModule.FindAllStringSubmatch(repository(t, "go.mod"), -1) {
		needed[match[1]] = true
	}
	for _, file := range repositoryFiles(t, "requirements.txt") {
		for _, match := range pipRequirement.FindAllStringSubmatch(string(readFile(t, file)), -1) {
			needed[match[1]] = true
		}
	}
	if len(needed) < 20 {
		t.Fatalf("%d dependencies found", len(needed))
	}
	told := map[string]bool{}
	page := repository(t, "docs/design/dependencies.md")
	for _, match := range reasonRow.FindAllStringSubmatch(page, -1) {
		for _, name := range codeSpan.FindAllString(match[1], -1) {
			told[strings.Trim(name, "`")] = true
		}
	}
	for name := range needed {
		if !told[name] {
			t.Errorf("docs/design/dependencies.md does not say why %s", name)
		}
	}
	for name := range told {
		if !needed[name] {
			t.Errorf("docs/design/dependencies.md speaks of %s, which nothing asks for", name)
		}
	}
}
