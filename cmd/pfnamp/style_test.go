package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/scanner"
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
		raw := rawLines(path, source)
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

// rawLines are the lines, counted from 1, that hold a text in backquotes or a part of one.
func rawLines(path string, source []byte) map[int]bool {
	set := token.NewFileSet()
	file := set.AddFile(path, -1, len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, 0)
	lines := map[int]bool{}
	for {
		at, kind, text := s.Scan()
		if kind == token.EOF {
			return lines
		}
		if kind == token.STRING && text[0] == '`' {
			first := set.Position(at).Line
			for i := range strings.Count(text, "\n") + 1 {
				lines[first+i] = true
			}
		}
	}
}

// TestErrorsDoNotDependOnMaps: no loop over a map in braces returns, because the order of a map is
// random: of two wrong flags, one run would report the first, another one the second.
func TestErrorsDoNotDependOnMaps(t *testing.T) {
	for _, path := range repositoryFiles(t, ".go") {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, readFile(t, path), 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if loop, ok := n.(*ast.RangeStmt); ok && isMap(loop.X) && returns(loop.Body) {
				t.Errorf("%s: a loop over a map returns: list the cases in a slice", set.Position(n.Pos()))
			}
			return true
		})
	}
}

// isMap reports whether an expression is a map in braces.
func isMap(e ast.Expr) bool {
	value, ok := e.(*ast.CompositeLit)
	if !ok {
		return false
	}
	_, ok = value.Type.(*ast.MapType)
	return ok
}

// returns reports whether a block has a return of its function.
func returns(block *ast.BlockStmt) (found bool) {
	ast.Inspect(block, func(n ast.Node) bool {
		_, inner := n.(*ast.FuncLit)
		_, is := n.(*ast.ReturnStmt)
		found = found || is
		return !inner
	})
	return found
}
