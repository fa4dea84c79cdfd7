package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// typedFlag is a flag in a text, as people type it.
var typedFlag = regexp.MustCompile("(?:^|[\\s(\"'`=])--([a-z][a-z0-9-]*)")

// TestLibrariesNameNoFlags: no text of a library package, such as those of its errors, has a flag
// of the program, which those who use the library do not have.
func TestLibrariesNameNoFlags(t *testing.T) {
	app := newApp(stdio{})
	flags := allFlags(app.Flags, app.Commands)
	if !slices.Contains(flags, "functional") || !slices.Contains(flags, "listen") {
		t.Fatalf("the flags are %v", flags)
	}
	texts := 0
	for file := range sources(t) {
		top, _, _ := strings.Cut(filepath.ToSlash(file), "/")
		if slices.Contains([]string{"cmd", "scripts", "examples"}, top) {
			continue
		}
		path := filepath.Join("..", "..", file)
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatalf("%s: %s: %v", file, literal.Value, err)
			}
			texts++
			for _, match := range typedFlag.FindAllStringSubmatch(text, -1) {
				if slices.Contains(flags, match[1]) {
					t.Errorf("%s: %q names a flag of the program: say what to do in words", file, text)
				}
			}
			return true
		})
	}
	if texts < 1000 {
		t.Errorf("%d texts", texts)
	}
}

// allFlags lists the names of all flags of some commands and of those below them.
func allFlags(flags []cli.Flag, commands []*cli.Command) []string {
	var names []string
	for _, flag := range flags {
		names = append(names, flag.Names()...)
	}
	for _, c := range commands {
		names = append(names, allFlags(c.Flags, c.Subcommands)...)
	}
	return names
}
