package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

var (
	codeFence       = regexp.MustCompile("(?ms)^```.*?^```$")
	codeSpan        = regexp.MustCompile("`[^`\n]*`")
	markdownLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	markdownHeading = regexp.MustCompile(`(?m)^#{1,6} +(.*)$`)
	pageName        = regexp.MustCompile(`\b(docs/[\w./-]+\.md)\b`)
	sourceFile      = regexp.MustCompile("`([\\w./-]+\\.(?:go|py|sh))`")
	testName        = regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z]\w*(?:\.\.\.)?`)
	testFunction    = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
)

// TestLinksLeadSomewhere: every relative link of a Markdown page of the repository leads to a file
// or folder, and to a heading where it names one.
func TestLinksLeadSomewhere(t *testing.T) {
	links := 0
	for _, page := range repositoryFiles(t, ".md") {
		text := codeSpan.ReplaceAllString(proseOf(t, page), "")
		for _, match := range markdownLink.FindAllStringSubmatch(text, -1) {
			if strings.Contains(match[1], "://") {
				continue
			}
			links++
			path, anchor, _ := strings.Cut(match[1], "#")
			target := page
			if path != "" {
				target = filepath.Join(filepath.Dir(page), filepath.FromSlash(path))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: the link %s leads nowhere", page, match[1])
			} else if anchor != "" && !slices.Contains(anchorsOf(t, target), anchor) {
				t.Errorf("%s: the link %s leads to no heading of its page", page, match[1])
			}
		}
	}
	if links < 50 {
		t.Errorf("%d links found in the repository", links)
	}
}

// TestNamedFilesExist: help texts, comments and scripts name pages that exist, and
// docs/design/architecture.md and CONTRIBUTING.md source files.
func TestNamedFilesExist(t *testing.T) {
	root := filepath.Join("..", "..")
	everywhere := repositoryFiles(t, ".go", ".py", ".sh", ".md", ".txtar", "Makefile")
	for name, files := range map[*regexp.Regexp][]string{pageName: everywhere, sourceFile: {
		filepath.Join(root, "docs", "design", "architecture.md"), filepath.Join(root, "CONTRIBUTING.md"),
	}} {
		for _, file := range files {
			for _, match := range name.FindAllStringSubmatch(string(readFile(t, file)), -1) {
				if _, err := os.Stat(filepath.Join(root, match[1])); err != nil {
					t.Errorf("%s speaks of %s, which does not exist", file, match[1])
				}
			}
		}
	}
}

// TestPromisesHaveTests: every test that a page names is a function of the repository. Three dots
// stand for any end of the name.
func TestPromisesHaveTests(t *testing.T) {
	var all strings.Builder
	for _, file := range repositoryFiles(t, "_test.go") {
		for _, match := range testFunction.FindAllStringSubmatch(string(readFile(t, file)), -1) {
			all.WriteString(" " + match[1] + " ")
		}
	}
	for _, page := range repositoryFiles(t, ".md") {
		for _, span := range codeSpan.FindAllString(proseOf(t, page), -1) {
			for _, name := range testName.FindAllString(span, -1) {
				start, more := strings.CutSuffix(name, "...")
				if !strings.Contains(all.String(), " "+start) ||
					!more && !strings.Contains(all.String(), " "+name+" ") {
					t.Errorf("%s names %s, which is no test", page, name)
				}
			}
		}
	}
}

// repository reads a file of the repository.
func repository(t *testing.T, path string) string {
	t.Helper()
	return string(readFile(t, filepath.Join("..", "..", filepath.FromSlash(path))))
}

// proseOf is a page without what is fenced.
func proseOf(t *testing.T, page string) string {
	t.Helper()
	return codeFence.ReplaceAllString(string(readFile(t, page)), "")
}

// anchorsOf lists the anchors of the headings of a page: lower case, blanks as hyphens, without
// punctuation.
func anchorsOf(t *testing.T, page string) []string {
	t.Helper()
	var all []string
	for _, match := range markdownHeading.FindAllStringSubmatch(proseOf(t, page), -1) {
		all = append(all, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, match[1]))
	}
	return all
}

// repositoryFiles lists the files of the repository whose names have one of the endings.
func repositoryFiles(t *testing.T, endings ...string) []string {
	t.Helper()
	var found []string
	root := filepath.Join("..", "..")
	hidden := []string{".git", "build", "dist", ".venv", "node_modules"}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains(hidden, d.Name()) {
			return fs.SkipDir
		}
		ends := func(ending string) bool { return strings.HasSuffix(path, ending) }
		if !d.IsDir() && slices.ContainsFunc(endings, ends) {
			found = append(found, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
