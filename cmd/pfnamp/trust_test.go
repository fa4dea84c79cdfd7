package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	testName     = regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z]\w*`)
	testFunction = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
)

// TestPromisesHaveTests: every test that a page of docs names is a function of the repository, and
// every promise of docs/design/trust.md names one at least.
func TestPromisesHaveTests(t *testing.T) {
	var functions []string
	for _, file := range repositoryFiles(t, "_test.go") {
		for _, match := range testFunction.FindAllStringSubmatch(string(readFile(t, file)), -1) {
			functions = append(functions, match[1])
		}
	}
	for _, page := range repositoryFiles(t, ".md") {
		for _, span := range codeSpan.FindAllString(proseOf(t, page), -1) {
			for _, name := range testName.FindAllString(span, -1) {
				prefix := strings.Contains(span, name+"...")
				exists := func(f string) bool { return f == name || prefix && strings.HasPrefix(f, name) }
				if !slices.ContainsFunc(functions, exists) {
					t.Errorf("%s names %s, which is no test", page, name)
				}
			}
		}
	}
	const heading = "| promise | test |\n|---|---|\n"
	_, promises, found := strings.Cut(repository(t, "docs/design/trust.md"), heading)
	if !found {
		t.Fatal("docs/design/trust.md has no table of promises")
	}
	rows := 0
	for line := range strings.Lines(promises) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		if rows++; !testName.MatchString(line) {
			t.Errorf("no test of: %s", line)
		}
	}
	if rows < 20 {
		t.Errorf("%d promises found", rows)
	}
}
