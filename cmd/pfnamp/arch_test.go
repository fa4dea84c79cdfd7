package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

const module = "github.com/pfnamp/pfnamp"

// pageTable reads a table of docs/design/architecture.md: its rows, cell by cell.
func pageTable(t *testing.T, heading string) (rows [][]string) {
	t.Helper()
	_, table, found := strings.Cut(repository(t, "docs/design/architecture.md"), heading+"\n")
	if !found {
		t.Fatalf("docs/design/architecture.md has no table %q", heading)
	}
	table, _, _ = strings.Cut(table, "\n\n")
	for line := range strings.Lines(table) {
		if cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|"); cells[0][0] != '-' {
			rows = append(rows, cells)
		}
	}
	return rows
}

// codeSpans lists what a cell of a table has between backquotes.
func codeSpans(cell string) (names []string) {
	for _, span := range codeSpan.FindAllString(cell, -1) {
		names = append(names, strings.Trim(span, "`"))
	}
	return names
}

// TestImportsFollowTheArchitecture: what is no test imports what the two tables of imports in
// docs/design/architecture.md allow its folder.
func TestImportsFollowTheArchitecture(t *testing.T) {
	allowed, confined := map[string][]string{}, map[string][]string{}
	for _, row := range pageTable(t, "| package | what it is | may import |") {
		allowed[codeSpans(row[0])[0]] = codeSpans(row[2])
	}
	for _, row := range pageTable(t, "| import | only in |") {
		confined[codeSpans(row[0])[0]] = codeSpans(row[1])
	}
	seen := map[string]bool{}
	for file, parsed := range sources(t) {
		folder := filepath.ToSlash(filepath.Dir(file))
		seen[folder] = true
		for _, path := range importsOf(t, parsed) {
			own, ours := strings.CutPrefix(path, module+"/")
			if path == module {
				own, ours = ".", true
			}
			if ours && !slices.Contains(allowed[folder], own) {
				t.Errorf("%s imports %s: an arrow that the architecture does not have", file, own)
			}
			if only, ok := confined[path]; ok && !slices.Contains(only, folder) {
				t.Errorf("%s imports %s, which only %v may", file, path, only)
			}
		}
	}
	for folder := range allowed {
		if !seen[folder] {
			t.Errorf("docs/design/architecture.md lists %s, which has no code", folder)
		}
	}
}

// TestBudgets: no room has more lines of Go, without tests and generated code, than its row in the
// table of budgets in docs/design/architecture.md. Whoever removes lines lowers the ceiling of the
// room to what is left, until it is the aim beside it.
func TestBudgets(t *testing.T) {
	rows := pageTable(t, "| room | lines at most | aim |")
	room, counted := map[string]int{}, make([]int, len(rows))
	for i, row := range rows {
		for _, folder := range codeSpans(row[0]) {
			room[folder] = i
		}
	}
	for file, parsed := range sources(t) {
		if ast.IsGenerated(parsed) {
			continue
		}
		folder := path.Dir(filepath.ToSlash(file))
		for _, own := room[folder]; !own && folder != "."; _, own = room[folder] {
			folder = path.Dir(folder)
		}
		counted[room[folder]] += bytes.Count(readFile(t, filepath.Join("..", "..", file)), []byte("\n"))
	}
	for i, row := range rows {
		most, err := strconv.Atoi(strings.ReplaceAll(strings.TrimSpace(row[1]), ",", ""))
		must.Succeed(t, err)
		t.Logf("%s: %d lines", row[0], counted[i])
		if counted[i] > most {
			t.Errorf("%s has %d lines, at most %d are allowed", row[0], counted[i], most)
		}
	}
}

func TestNoCatchAllNames(t *testing.T) {
	banned := []string{"util", "utils", "common", "helper", "helpers", "misc", "types", "base"}
	for file := range sources(t) {
		folder, name := filepath.Split(strings.TrimSuffix(file, ".go"))
		if slices.Contains(banned, name) || slices.Contains(banned, filepath.Base(folder)) {
			t.Errorf("%s: the name does not say what is inside", file)
		}
	}
}

// TestOnlyServeUsesTheNetwork: nothing but the server and the example of one, or a dependency,
// could open a connection.
func TestOnlyServeUsesTheNetwork(t *testing.T) {
	for file, parsed := range sources(t) {
		for _, path := range importsOf(t, parsed) {
			serves := strings.HasPrefix(file, "serve/") || strings.HasPrefix(file, "examples/service/")
			if (path == "net" || strings.HasPrefix(path, "net/")) && !serves {
				t.Errorf("%s imports %s", file, path)
			}
		}
	}
}

// sources has every Go file of the module that is no test, by its name from there. Only comments
// and imports are parsed.
func sources(t *testing.T) map[string]*ast.File {
	t.Helper()
	root := filepath.Join("..", "..")
	found := map[string]*ast.File{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{".git", "build", "dist", "testdata"}, d.Name()) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		name, err := filepath.Rel(root, path)
		if err == nil {
			found[name], err = parser.ParseFile(token.NewFileSet(), path, nil,
				parser.ImportsOnly|parser.ParseComments)
		}
		return err
	})
	must.Succeed(t, err)
	return found
}

// importsOf lists the packages that a file imports.
func importsOf(t *testing.T, file *ast.File) (paths []string) {
	t.Helper()
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		must.Succeed(t, err)
		paths = append(paths, path)
	}
	return paths
}
