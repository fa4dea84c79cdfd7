package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestGoroutinesCatchPanics: what runs in a goroutine of its own, by a go statement or a method Go,
// turns a panic into an error. A panic anywhere else reaches run, which does the same.
func TestGoroutinesCatchPanics(t *testing.T) {
	started := 0
	for name := range sources(t) {
		if strings.HasPrefix(filepath.ToSlash(name), "examples/") {
			continue // programs of users, who have no internal packages
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, filepath.Join("..", "..", name), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			var body ast.Node
			switch n := n.(type) {
			case *ast.GoStmt:
				body = n.Call
			case *ast.CallExpr:
				if method, ok := n.Fun.(*ast.SelectorExpr); !ok || method.Sel.Name != "Go" {
					return true
				}
				body = n
			default:
				return true
			}
			own := strings.HasPrefix(filepath.ToSlash(name), "internal/panics/")
			if started++; !catchesPanics(body, own) {
				t.Errorf("%s: a panic in this goroutine ends the program; see internal/panics",
					files.Position(n.Pos()))
			}
			return true
		})
	}
	if started < 10 {
		t.Errorf("only %d goroutines were found", started)
	}
}

// catchesPanics finds a call of package panics; the package itself calls Catch.
func catchesPanics(body ast.Node, own bool) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.Ident); ok && own && call.Name == "Catch" {
			found = true
		}
		if of, ok := n.(*ast.SelectorExpr); ok {
			if name, ok := of.X.(*ast.Ident); ok && name.Name == "panics" {
				found = true
			}
		}
		return !found
	})
	return found
}
