package tabular

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

// TestNoFlags checks that no text of the package speaks of a program's flags or models.
func TestNoFlags(t *testing.T) {
	flag := regexp.MustCompile("(^|[^-])--[a-z]|docs/|tabicl|tabpfn|classifier|regression model")
	for _, file := range sourceFiles(t) {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		must.Succeed(t, err)
		ast.Inspect(tree, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING &&
				flag.MatchString(text.Value) {
				t.Errorf("%s: %s", file, text.Value)
			}
			return true
		})
	}
}

// sourceFiles lists the files of the package and of its internal ones, without tests.
func sourceFiles(t *testing.T) []string {
	var files []string
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			files = append(files, path)
		}
		return err
	})
	must.Succeed(t, err)
	return files
}

func TestHintWith(t *testing.T) {
	_, err := Learn(readText(t, "a,y\n1,2\nx,3\n", ReadOptions{}),
		SchemaOptions{Numeric: []string{"a"}})
	e := err.(*Error)
	want := "drop SchemaOptions.Numeric for this column, or list missing values with ReadOptions.NA"
	if e.Hint != want {
		t.Errorf("hint %q, want %q", e.Hint, want)
	}
	name := func(o Option) string {
		return map[Option]string{OptionNumeric: "-n", OptionNA: "-m"}[o]
	}
	want = "drop -n for this column, or list missing values with -m"
	if got := e.HintWith(Words{Option: name}); got != want {
		t.Errorf("hint %q, want %q", got, want)
	}
	if got := (&Error{Hint: "do good"}).HintWith(Words{Option: name}); got != "do good" {
		t.Errorf("plain hint is %q", got)
	}
}

// TestNotesWith checks that notes name options as asked, and keep a percent sign of a column.
func TestNotesWith(t *testing.T) {
	s := learnText(t, "50%d,n\n1,1\n1,2\n1,3\nx,4\ny,5\n", SchemaOptions{})
	want := `column "50%d" is categorical: 2 of 5 values are not numbers, the first is "x" ` +
		`(line 5); require numbers with SchemaOptions.Numeric 50%d, list `
	if len(s.Notes) != 1 || !strings.HasPrefix(s.Notes[0], want) {
		t.Errorf("notes %q", s.Notes)
	}
	notes := s.NotesWith(Words{Option: func(o Option) string { return "<" + string(o) + ">" },
		Column: strings.ToUpper})
	if len(notes) != 1 || !strings.Contains(notes[0], "with <SchemaOptions.Numeric> 50%D, list") {
		t.Errorf("notes %q", notes)
	}
}

// TestFaults checks the Fault of errors about targets.
func TestFaults(t *testing.T) {
	for text, want := range map[string]Fault{
		"a,y\n1,x\n": TargetCells, "a,y\n1,\n": 0, "a,y\n1,2\n": 0,
	} {
		_, err := Learn(readText(t, text, ReadOptions{}), SchemaOptions{Target: "y"})
		if e, ok := err.(*Error); ok && e.Fault != want || !ok && want != 0 {
			t.Errorf("%q: error %v, want fault %d", text, err, want)
		}
	}
	_, err := Learn(readText(t, "a,y\n1,0.5\n", ReadOptions{}),
		SchemaOptions{Target: "y", Labels: true})
	if e, ok := err.(*Error); !ok || e.Fault != TargetLabels {
		t.Errorf("a label with a fraction: %v", err)
	}
}
