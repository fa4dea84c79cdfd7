package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

// prose is a text with at least three words, or with two and no sign of code.
var prose = regexp.MustCompile(`[A-Za-z][a-z'-]+,? [a-z%(][\w%'().-]*( |$)`)

// goMessages collects the string literals of a Go file that are prose. Literals that + joins are
// one text. Panics are for programmers and are left out, as are tags of fields.
func goMessages(path string, source []byte) ([]text, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, source, 0)
	if err != nil {
		return nil, err
	}
	var all []text
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			n.Tag = nil
		case *ast.CallExpr:
			if name, ok := n.Fun.(*ast.Ident); ok && name.Name == "panic" {
				return false
			}
		case *ast.BinaryExpr:
			if body, ok := joined(n); ok {
				all = appendProse(all, path, files.Position(n.Pos()).Line, body)
				return false
			}
		case *ast.BasicLit:
			if body, ok := joined(n); ok {
				all = appendProse(all, path, files.Position(n.Pos()).Line, body)
			}
		}
		return true
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

func appendProse(all []text, path string, line int, body string) []text {
	if !prose.MatchString(body) {
		return all
	}
	return append(all, text{file: path, line: line, body: body})
}

var (
	literal = regexp.MustCompile("(?s)\"\"\".*?\"\"\"|" + `"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|` +
		"`[^`]*`")
	betweenLiterals = regexp.MustCompile(`^\s*[fr]?$`) // Python joins neighbouring literals
)

// quoted collects the quoted texts of a source in Python or JavaScript that are prose. Comments
// begin with the given mark.
func quoted(comment string) func(string, []byte) ([]text, error) {
	comments := regexp.MustCompile(`(?m)^\s*` + comment + `.*$`)
	return func(path string, source []byte) ([]text, error) {
		code := comments.ReplaceAllString(string(source), "")
		var all []text
		end, body, start := -1, "", 0
		flush := func() {
			line := 1 + strings.Count(code[:start], "\n")
			all = appendProse(all, path, line, body)
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
}
