package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestArchitectureMap compares the tables of docs/design/architecture.md with those that
// TestImportsFollowTheArchitecture enforces.
func TestArchitectureMap(t *testing.T) {
	page := repository(t, "docs/design/architecture.md")
	for heading, enforced := range map[string]map[string][]string{
		"| package | what it is | may import |": allowed, "| import | only in |": confined,
	} {
		drawn := arrows(t, page, heading)
		for _, name := range slices.Sorted(maps.Keys(enforced)) {
			if got, ok := drawn[name]; !ok || !slices.Equal(got, enforced[name]) {
				t.Errorf("%s: %s is drawn with %v, enforced is %v", heading, name, got, enforced[name])
			}
			delete(drawn, name)
		}
		for name := range drawn {
			t.Errorf("%s: %s is drawn and not enforced", heading, name)
		}
	}
}

// arrows reads a table of a page: what its last column lists, sorted, by its first column.
func arrows(t *testing.T, page, heading string) map[string][]string {
	t.Helper()
	_, table, found := strings.Cut(page, heading+"\n")
	if !found {
		t.Fatalf("docs/design/architecture.md has no table %q", heading)
	}
	table, _, _ = strings.Cut(table, "\n\n")
	drawn := map[string][]string{}
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		name := strings.Trim(strings.TrimSpace(cells[0]), "`")
		if strings.HasPrefix(name, "---") {
			continue
		}
		var list []string
		for _, to := range codeSpan.FindAllString(cells[len(cells)-1], -1) {
			list = append(list, strings.Trim(to, "`"))
		}
		slices.Sort(list)
		drawn[name] = list
	}
	return drawn
}

var sourceFile = regexp.MustCompile("`([\\w./-]+\\.(?:go|py|sh))`")

// TestArchitectureNamesFiles: every source file that docs/design/architecture.md and
// CONTRIBUTING.md name is there.
func TestArchitectureNamesFiles(t *testing.T) {
	named := 0
	for _, page := range []string{"docs/design/architecture.md", "CONTRIBUTING.md"} {
		for _, match := range sourceFile.FindAllStringSubmatch(repository(t, page), -1) {
			named++
			if _, err := os.Stat(filepath.Join("..", "..", match[1])); err != nil {
				t.Errorf("%s names %s, which is not there", page, match[1])
			}
		}
	}
	if named < 50 {
		t.Errorf("%d files named", named)
	}
}
