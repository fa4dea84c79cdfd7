package main

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"
)

// A kind of message, by where a person meets it.
type kind struct{ name, meaning string }

// kinds are listed in this order.
var kinds = []kind{
	{"help", "help of commands: what they do, their columns, examples"},
	{"flags", "help of flags, with their defaults"},
	{"command", "errors and hints about a command line, its files and its memory"},
	{"tables", "errors and hints about the cells, columns and sheets of a table"},
	{"questions", "errors and hints about a question: too few rows, a wrong functional"},
	{"notes", "notes, progress and summaries on the terminal"},
	{"page", "reports, figures and the answers in sentences"},
	{"server", "answers and the log of pfnamp serve"},
	{"models", "errors about bundles, networks, states and onnxruntime"},
	{"python", "messages and docstrings of the Python package"},
	{"library", "errors that only a caller from Go can meet"},
}

// folders are the kinds of the texts of folders whose texts are of one kind.
var folders = []struct{ prefix, kind string }{
	{"cmd/", "command"}, {"tabular/", "tables"}, {"warning/", "notes"},
	{"report/", "page"}, {"check/", "page"}, {"evaluate/paper/", "page"},
	{"internal/numberscript/", "page"},
	{"serve/web/", "page"}, {"serve/", "server"}, {"pfn/", "models"}, {"models/", "models"},
	{"python/", "python"},
}

// ofFolder is the kind of a text of a file where nothing around it says more.
func ofFolder(path string) string {
	for _, f := range folders {
		if strings.HasPrefix(path, f.prefix) {
			return f.kind
		}
	}
	return "questions"
}

// prefixed are errors of packages that the program turns into others before a user sees them.
var prefixed = regexp.MustCompile(`^[a-z]+: `)

var (
	helpNames  = regexp.MustCompile(`Flags?$|^Command$|^App$|[hH]elp|^Category$|^DefaultText$|^Usage`)
	errorNames = regexp.MustCompile(`[eE]rror|^New$|^refuse|[hH]int|^[mM]sg$|` +
		`[rR]emed(y|ies)|^wrongUsage$`)
	noteNames = regexp.MustCompile(`^(notef|warnf|note\w*|progress|phase|\w+Text)$`)
	// codeNames are calls that look for a text instead of showing it.
	codeNames = regexp.MustCompile(`^(panic|Cut|CutPrefix|CutSuffix|Contains|HasPrefix|HasSuffix|` +
		`TrimPrefix|TrimSuffix|Split|MustCompile|Getenv)$`)
)

// kindOf is the kind of a literal of a Go file, by the nodes around it, innermost last.
func kindOf(path, body string, around []ast.Node) string {
	folder := ofFolder(path)
	if folder == "command" && strings.HasSuffix(path, "_report.go") {
		return "page"
	}
	library := len(body) > 0 && prefixed.MatchString(body) &&
		strings.HasPrefix(body, packageOf(path)+": ")
	if library && folder != "command" {
		return "library"
	}
	if folder == "server" || folder == "page" || folder == "models" || folder == "tables" {
		return folder
	}
	for i := len(around) - 1; i >= 0; i-- {
		switch name := nameOf(around[i]); {
		case name == "":
		case helpNames.MatchString(name):
			if slices.ContainsFunc(around, isFlag) {
				return "flags"
			}
			return "help"
		case errorNames.MatchString(name):
			return folder
		case noteNames.MatchString(name):
			return "notes"
		}
	}
	if folder == "command" {
		return "notes"
	}
	return folder
}

// isFlag tells values that are flags.
func isFlag(n ast.Node) bool {
	value, ok := n.(*ast.CompositeLit)
	return ok && strings.HasSuffix(last(value.Type), "Flag")
}

// packageOf is the name of the package of a file of Go.
func packageOf(path string) string {
	parts := strings.Split(path, "/")
	if len(parts) == 1 {
		return "pfnamp"
	}
	return parts[len(parts)-2]
}

// nameOf returns the name of a node of the syntax. A call has the name of its function, a value the
// name of its type or key, a function the name of its result or its own.
func nameOf(n ast.Node) string {
	switch n := n.(type) {
	case *ast.CallExpr:
		return last(n.Fun)
	case *ast.CompositeLit:
		return last(n.Type)
	case *ast.KeyValueExpr:
		return last(n.Key)
	case *ast.AssignStmt:
		if len(n.Lhs) == 1 {
			return last(n.Lhs[0])
		}
	case *ast.ValueSpec:
		return n.Names[0].Name
	case *ast.FuncDecl:
		if n.Type.Results != nil && len(n.Type.Results.List) > 0 {
			if name := last(n.Type.Results.List[0].Type); helpNames.MatchString(name) {
				return name
			}
		}
		return n.Name.Name
	}
	return ""
}

// last is the last name of an expression: Flag of []*cli.Flag.
func last(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.StarExpr:
		return last(e.X)
	case *ast.ArrayType:
		return last(e.Elt)
	case *ast.IndexExpr:
		return last(e.X)
	}
	return ""
}
