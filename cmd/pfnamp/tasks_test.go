package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	patchTask = regexp.MustCompile(`(?m)^Task: (.+)$`)
	patchFile = regexp.MustCompile(`(?m)^diff --git a/(\S+) b/(\S+)\n(new file|copy|similarity)?`)
)

// TestEightTasks compares the table of the eight tasks with the patches that do them: how many Go
// files each adds and touches, tests apart. `make test-tasks` applies the patches.
func TestEightTasks(t *testing.T) {
	page := repository(t, "docs/design/architecture.md")
	patches, err := filepath.Glob(filepath.Join("..", "..", "scripts", "tools", "tasks", "*.patch"))
	if err != nil || len(patches) != 8 {
		t.Fatalf("%d patches, %v", len(patches), err)
	}
	for _, path := range patches {
		patch := string(readFile(t, path))
		added, touched := 0, 0
		for _, file := range patchFile.FindAllStringSubmatch(patch, -1) {
			switch name := file[2]; {
			case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			case file[3] != "":
				added++
			default:
				touched++
			}
		}
		if added+touched == 0 {
			t.Errorf("%s changes no Go file", path)
		}
		row := fmt.Sprintf("(?m)^\\| \\[%s\\]\\([^)]*\\) \\| %d \\| %d \\|",
			regexp.QuoteMeta(patchTask.FindStringSubmatch(patch)[1]), added, touched)
		if !regexp.MustCompile(row).MatchString(page) {
			t.Errorf("%s adds %d files and touches %d: the table of tasks says something else", path, added,
				touched)
		}
	}
}
