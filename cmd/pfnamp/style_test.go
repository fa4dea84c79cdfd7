package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
	"unicode/utf8"
)

// What CONTRIBUTING.md promises of the style of Go.
const (
	maxLine     = 100 // characters; a tab is one
	maxFile     = 350 // lines
	maxFunction = 80  // lines
	mostly      = 40  // lines that 95 % of the functions have at most
)

// TestPromisesOfStyle: lines, files and functions are as short as CONTRIBUTING.md says. Generated
// code may be longer, and so may a text in backquotes, which cannot be cut.
func TestPromisesOfStyle(t *testing.T) {
	functions, long := 0, 0
	for _, path := range repositoryFiles(t, ".go") {
		source := readFile(t, path)
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, source, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if ast.IsGenerated(file) {
			continue
		}
		if lines := bytes.Count(source, []byte("\n")); lines > maxFile {
			t.Errorf("%s has %d lines, at most %d are allowed: split it by idea", path, lines, maxFile)
		}
		raw := map[int]bool{} // lines with a text in backquotes, or a part of one
		ast.Inspect(file, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Value[0] == '`' {
				for line := set.Position(n.Pos()).Line; line <= set.Position(n.End()).Line; line++ {
					raw[line] = true
				}
			}
			return true
		})
		for i, line := range strings.Split(string(source), "\n") {
			if n := utf8.RuneCountInString(line); n > maxLine && !raw[i+1] {
				t.Errorf("%s:%d has %d characters, at most %d are allowed", path, i+1, n, maxLine)
			}
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || strings.HasSuffix(path, "_test.go") {
				continue
			}
			functions++
			lines := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1
			if lines > mostly {
				long++
			}
			if lines > maxFunction {
				t.Errorf("%s: function %s has %d lines, at most %d are allowed", path, f.Name, lines,
					maxFunction)
			}
		}
	}
	if functions < 1000 || 20*long > functions {
		t.Errorf("%d of %d functions have more than %d lines, at most 5 %% are allowed", long, functions,
			mostly)
	}
}
