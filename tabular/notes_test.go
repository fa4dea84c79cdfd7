package tabular

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// described are the notes that SchemaOptions.Strict does not refuse, with the reason.
var described = map[string]string{
	"holds dates: they become days since 1970-01-01":          "ISO 8601 means one day only",
	"holds times: they become seconds since 1970-01-01 UTC":   "ISO 8601 means one time only",
	"also gives calendar columns: %s (%s %s leaves them out)": "further features of these dates",
}

// noteCalls lists the formats of the notes on columns that the package has, by method.
func noteCalls(t *testing.T) map[string][]string {
	t.Helper()
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string][]string{}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			of, ok := call.Fun.(*ast.SelectorExpr)
			if ok && (of.Sel.Name == "note" || of.Sel.Name == "describe") && len(call.Args) > 1 &&
				fmt.Sprint(of.X) == "l" {
				calls[of.Sel.Name] = append(calls[of.Sel.Name], formatOf(t, call.Args[1]))
			}
			return true
		})
	}
	return calls
}

// formatOf is the text of an expression of literals.
func formatOf(t *testing.T, e ast.Expr) string {
	t.Helper()
	switch e := e.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(e.Value)
		return text
	case *ast.BinaryExpr:
		return formatOf(t, e.X) + formatOf(t, e.Y)
	case *ast.Ident:
		if e.Name == "zeroLedNote" {
			return zeroLedNote
		}
	}
	t.Fatalf("%v is no literal", e)
	return ""
}

// Strict refuses every note on a column that a table can have; every call has a table here.
func TestStrictRefusesNotes(t *testing.T) {
	calls := noteCalls(t)
	slices.Sort(calls["describe"])
	for _, format := range calls["describe"] {
		if described[format] == "" {
			t.Errorf("Strict does not refuse %q, and described has no reason", format)
		}
	}
	var numbers, texts, few, dates, far, groups, near []string
	for i := range 60 {
		numbers = append(numbers, fmt.Sprintf("01%d", i%7))
		texts = append(texts, fmt.Sprintf("text %d", i-i/20))
		few = append(few, []string{"1", "1", "1", "a", "b", "c"}[i%6])
		dates = append(dates, []string{"2021-01-01", "2021-01-01", "a", "b", "c", "2021-01-01"}[i%6])
		far = append(far, []string{"-999999", "1", "2", "1.5"}[min(3, i)])
		groups = append(groups, fmt.Sprint(3*(i%5)))
		near = append(near, fmt.Sprint(1<<60+1024*(i%9)))
	}
	ids, many := []string{}, []string{}
	for i := range 2200 {
		ids, many = append(ids, fmt.Sprint(i+1)), append(many, fmt.Sprint("c", i%1050))
	}
	tables := map[string]*Table{}
	for name, x := range map[string][]string{
		"zeros": numbers, "texts": texts, "few": few, "dates": dates, "far": far, "near": near,
		"many": many, "large": {"1e301", "2e301", "3e301", "3e301"},
		"empty": {"", "", "", ""}, "signs": {"1", "2", "?", "3"}, "days": {"31.12.2019", "1.1.2020"},
		"forms": {"5 kg", "6 kg", "7.5 kg"}, "spaces": {"a", "a ", "b", "b"},
		"truths": {"true", "false", "maybe", "true"},
		"like":   {"No. 1.5", "No. 1.7", "No. 2.5", "No. 2.5"},
	} {
		tables[name] = tableOf(t, "x", x)
	}
	tables["groups"] = tableOf(t, "school", groups)
	tables["numbers of parquet"] = asFormats(t, columnOf("x", "1", "2", "3", "2"))["parquet"]
	tables["dates of parquet"] = asFormats(t, columnOf("x", "2021-01-01", "2021-01-02",
		"2021-01-02"))["parquet"]
	seen := map[string]bool{}
	check := func(name string, table *Table, opt SchemaOptions) {
		s, err := Learn(table, opt)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		refused := false
		for _, note := range s.Notes {
			for _, format := range calls["note"] {
				seen[format] = seen[format] || likeFormat(format).MatchString(note)
			}
			for format := range described {
				refused = refused || !likeFormat(format).MatchString(note)
			}
		}
		opt.Strict = true
		_, err = Learn(table, opt)
		e, ok := err.(*Error)
		if !refused || !ok || !slices.ContainsFunc(s.Notes, func(note string) bool {
			return strings.HasPrefix(e.Hint, note)
		}) || !strings.HasSuffix(e.Hint, "without SchemaOptions.Strict this is a note") {
			t.Errorf("%s: %q is refused with %v", name, s.Notes, err)
		}
	}
	for name, table := range tables {
		check(name, table, SchemaOptions{Ignore: []string{"n"}})
	}
	check("ids", tableOf(t, "x", ids), SchemaOptions{})
	check("labels", tableOf(t, "x", []string{"a", "A", "b"}), SchemaOptions{Target: "x", Labels: true})
	check("zero-led labels", tableOf(t, "x", []string{"001", "002", "001"}),
		SchemaOptions{Target: "x", Labels: true})
	for _, format := range calls["note"] {
		if !seen[format] {
			t.Errorf("no table here is noted with %q", format)
		}
	}
}

var verbs = regexp.MustCompile(`%[^a-z]*[a-z]`)

// likeFormat matches what a format of a note on a column makes.
func likeFormat(format string) *regexp.Regexp {
	parts := verbs.Split(format, -1)
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(part)
	}
	return regexp.MustCompile(`^columns? ".*" ` + strings.Join(parts, ".*") + "$")
}

// columnOf is a table of one column and a number, its header first.
func columnOf(name string, cells ...string) [][]string {
	rows := [][]string{{name, "n"}}
	for i, cell := range cells {
		rows = append(rows, []string{cell, fmt.Sprint(i % 3)})
	}
	return rows
}

func tableOf(t *testing.T, name string, cells []string) *Table {
	t.Helper()
	var b strings.Builder
	for _, row := range columnOf(name, cells...) {
		b.WriteString(strings.Join(row, ";") + "\n")
	}
	return readText(t, b.String(), ReadOptions{Delimiter: ';'})
}

// Strict refuses a file with notes, as on names of columns that may be none.
func TestStrictRefusesFiles(t *testing.T) {
	for text, note := range map[string]string{
		"x,X\n1,2\n3,4\n": "differ only by case",
		"1,2\n1,2\n3,4\n": "every column name is a number",
	} {
		_, err := Learn(readText(t, text, ReadOptions{}), SchemaOptions{Strict: true})
		if err == nil || !strings.Contains(err.Error(), note) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
