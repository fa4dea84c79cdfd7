package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// prose is a text with at least three words, or with two and no sign of code.
var prose = regexp.MustCompile(`[A-Za-z][a-z'-]+,? [a-z%(][\w%'().-]*( |$)`)

// goMessages collects the string literals of a Go file that are prose. Literals that + joins are
// one text. It leaves out codes (tags of fields, keys, cases, what a program looks for) and panics,
// which are for programmers.
func goMessages(path string, source []byte) ([]text, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, source, 0)
	if err != nil {
		return nil, err
	}
	var all []text
	var around []ast.Node
	add := func(n ast.Expr) bool {
		body, ok := joined(n)
		if ok {
			t := text{path, files.Position(n.Pos()).Line, body, kindOf(path, body, around)}
			all = appendProse(all, t)
		}
		return ok
	}
	ast.Inspect(file, func(n ast.Node) bool {
		into := true
		switch n := n.(type) {
		case nil:
			around = around[:len(around)-1]
			return false
		case *ast.ImportSpec:
			into = false
		case *ast.Field:
			n.Tag = nil
		case *ast.CaseClause:
			n.List = nil
		case *ast.KeyValueExpr:
			_, literal := n.Key.(*ast.BasicLit)
			if literal {
				n.Key = ast.NewIdent("_")
			}
		case *ast.CallExpr:
			into = !codeNames.MatchString(nameOf(n))
		case *ast.BinaryExpr:
			into = !add(n)
		case *ast.BasicLit:
			add(n)
		}
		if into {
			around = append(around, n)
		}
		return into
	})
	return all, nil
}

// joined is the text of a literal, or of literals and other operands that + joins; an operand
// that is no literal is written as three dots.
func joined(e ast.Expr) (body string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		body, err := strconv.Unquote(e.Value)
		return body, err == nil
	case *ast.BinaryExpr:
		left, some := joined(e.X)
		right, more := joined(e.Y)
		if e.Op != token.ADD || !some && !more {
			return "", false
		}
		return or(left, some) + or(right, more), true
	}
	return "", false
}

func or(body string, ok bool) string {
	if !ok {
		return "…"
	}
	return body
}

// script is a sign of a program in a text: of a shell, a query or a style.
var script = regexp.MustCompile(`\$\{|local cur=|set -l |use strict`)

func appendProse(all []text, t text) []text {
	if !prose.MatchString(t.body) || script.MatchString(t.body) && t.kind != "page" {
		return all
	}
	return append(all, t)
}

var (
	remark          = regexp.MustCompile(`(?m)^\s*#.*$`)
	literal         = regexp.MustCompile("(?s)\"\"\".*?\"\"\"|" + `"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`)
	definition      = regexp.MustCompile(`(?m)^( *)(?:def|class) (\w+)`)
	style           = regexp.MustCompile(`(className =|class:)$`)
	betweenLiterals = regexp.MustCompile(`^\s*[fr]?$`) // Python joins neighbouring literals
)

// pythonMessages collects the quoted texts of a source in Python that are prose.
func pythonMessages(path string, source []byte) ([]text, error) {
	code := remark.ReplaceAllString(string(source), "")
	var all []text
	end, body, start := -1, "", 0
	flush := func() {
		if !unseen(path, code[:start], code[start:]) {
			line := 1 + strings.Count(code[:start], "\n")
			all = appendProse(all, text{path, line, body, ofFolder(path)})
		}
		body = ""
	}
	for _, at := range literal.FindAllStringIndex(code, -1) {
		if end >= 0 && !betweenLiterals.MatchString(code[end:at[0]]) {
			flush()
		}
		if body == "" {
			start = at[0]
		}
		body += strings.Trim(code[at[0]:at[1]], "\"'`")
		end = at[1]
	}
	if end >= 0 {
		flush()
	}
	return all, nil
}

// exported are the names that the Python package exports, and parent is the class whose methods its
// estimators inherit.
var exported = []string{"Classifier", "InputError", "PfnampWarning", "ProgramError", "Regressor",
	"forecast", "next_rows", "program"}

const parent = "Estimator"

// unseen tells docstrings of names that are not public. In a private module, such as _base.py, a
// name is public if the package exports it, and a method if its class is public.
func unseen(path, before, text string) bool {
	if !strings.HasPrefix(text, `"""`) {
		return false
	}
	module := filepath.Base(path)
	private := strings.HasPrefix(module, "_") && module != "__init__.py"
	names := enclosing(before)
	switch {
	case len(names) == 0:
		return private
	case slices.ContainsFunc(names, func(name string) bool { return name[0] == '_' }):
		return true
	case !private:
		return false
	}
	inherited := names[0] == parent && len(names) > 1
	return !inherited && !slices.Contains(exported, names[0])
}

// enclosing returns the names of the definition at the end of a source and of those around it, the
// outermost first.
func enclosing(before string) (names []string) {
	all := definition.FindAllStringSubmatch(before, -1)
	for indent := math.MaxInt; len(all) > 0 && indent > 0; all = all[:len(all)-1] {
		last := all[len(all)-1]
		if len(last[1]) < indent {
			indent = len(last[1])
			names = append([]string{last[2]}, names...)
		}
	}
	return names
}
