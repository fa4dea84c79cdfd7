package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// tree writes files below a new folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, body := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// Messages are the texts of Go, Python and JavaScript by kind; imports, tags, keys, cases, panics,
// codes, tests and docstrings of names that are not public are left out.
func TestMessages(t *testing.T) {
	root := tree(t, map[string]string{
		"cmd/pfnamp/a.go": `package main

import "some path of a library"

type t struct {
	F int ` + "`json:\"a tag of a field\"`" + `
}

func f(name string) error {
	panic("a mistake of a programmer")
	switch _, ok := strings.Cut(name, "a part of a text"); name {
	case "a case is no text":
		j.warnf("few rows are left")
	}
	_ = map[string]string{"a key is none": "give more rows"}
	_ = &cli.StringFlag{Usage: "a flag has a text"}
	return fmt.Errorf("the file %s is " + "not a " + name + " table", "name")
}
`,
		"amp/a.go":      "package amp\n\nvar e = errors.New(\"amp: a call is wrong\")\n",
		"amp/a_test.go": `package amp; const c = "a text of a test"`,
		"python/pfnamp/_a.py": "\"\"\"A docstring that nobody sees.\"\"\"\n# a comment of a module\n" +
			"def forecast(a=\"b\"):\n    \"\"\"Fit a table.\"\"\"\n" +
			"def free(a):\n    \"\"\"Fit a helper.\"\"\"\n" +
			"class Estimator:\n    \"\"\"A parent of others.\"\"\"\n" +
			"    def fit(self):\n        \"\"\"Fit a parent.\"\"\"\n" +
			"class Filter:\n    def fit(self):\n        \"\"\"Fit a filter.\"\"\"\n" +
			"def _f():\n    \"\"\"Fit a list.\"\"\"\n" +
			"raise E(\n    \"X has no \"\n    f\"column named {c}\"\n)\nd = \"mean_lo\"\n",
		"python/pfnamp/ray.py": "def fit():\n    \"\"\"Fit a block.\"\"\"\n",
		"report/web/page.js": "// a comment isn't a text\n/* nor is `this */\n" +
			"const t = 'Click a row to see more', mark = /`not a text/;\n" +
			"say(`there are ${rows.map((r) => `${r} is a row`)} rows ${{ a: 'of a table' }.a}`);\n",
		"scripts/train.py": "x = \"a text of a tool\"\n",
	})
	all, err := messages(root)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range all {
		got = append(got, m.kind+": "+m.body)
	}
	want := []string{"library: amp: a call is wrong", "notes: few rows are left",
		"notes: give more rows", "flags: a flag has a text",
		"command: the file %s is not a … table", "python: Fit a table.", "python: Fit a parent.",
		"python: X has no column named {c}", "python: Fit a block.", "page: Click a row to see more",
		"page: … is a row", "page: of a table", "page: there are … rows …"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q, want %q", got, want)
	}
}

// The names that messages lists are those that the Python package exports.
func TestExported(t *testing.T) {
	const folder = "../../../python/pfnamp/"
	source, err := os.ReadFile(folder + "__init__.py")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(source), "__all__ = [")
	list, _, _ = strings.Cut(list, "]")
	var names []string
	for _, quoted := range regexp.MustCompile(`"(\w+)"`).FindAllStringSubmatch(list, -1) {
		names = append(names, quoted[1])
	}
	if !slices.Equal(names, exported) {
		t.Errorf("the package exports %q, not %q", names, exported)
	}
	source, err = os.ReadFile(folder + "_estimators.py")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), "Mixin, "+parent+")"); n != 2 {
		t.Errorf("%d estimators inherit from %s", n, parent)
	}
}

// A list has each text once, under its kind, and counts texts and words.
func TestList(t *testing.T) {
	root := tree(t, map[string]string{
		"tabular/a.go": "package tabular\n\nvar a, b = \"the cell is empty\", \"the cell is empty\"\n",
		"report/a.go":  "package report\n\nvar a = \"rows of a table\"\n",
	})
	var out strings.Builder
	if err := run(&out, root, []string{"messages", "tables"}); err != nil {
		t.Fatal(err)
	}
	for text, n := range map[string]int{"     3  the cell is empty\n": 1, "rows of a table": 0,
		"tables          1      4        1 ": 1, "all             2      8        1 ": 1} {
		if strings.Count(out.String(), text) != n {
			t.Errorf("%q is there %d times, want %d:\n%s", text, strings.Count(out.String(), text), n,
				out.String())
		}
	}
	if err := run(&out, root, []string{"messages", "hints"}); err == nil {
		t.Error("an unknown kind is taken")
	}
}

// Lint reports each habit once, with its place, and nothing of a clean tree.
func TestLint(t *testing.T) {
	long := strings.Repeat("word ", longest+1) + "end."
	root := tree(t, map[string]string{
		"README.md": "# Title\n\nA column, of which little is known.\n\n" + long +
			"\n\n[gone](pages/gone.md) and `of which` in code\n\n```\nof which\n```\n",
		"a.go": "// Package a has a confidence interval.\npackage a\n\n// F is told.\nfunc F() {}\n\n" +
			"// g is told. The source is \"Of which\".\nfunc g() {}\n",
		"b.go": "package a\n\nconst e = \"the former is wrong here\"\n",
		filepath.Join("docs", "evidence", "page.md"): "of which\n",
	})
	found, err := lint(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"README.md:3: \"of which\"", "README.md:5: a sentence of",
		"README.md: the link pages/gone.md", "a.go:1: \"confidence interval\"", "a.go:4: \"is told\"",
		"a.go:7: \"is told\"",
		"b.go:3: \"the former\""} {
		n := 0
		for _, f := range found {
			if strings.HasPrefix(f, want) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%q is found %d times in\n%s", want, n, strings.Join(found, "\n"))
		}
	}
	if len(found) != 7 {
		t.Errorf("%d findings:\n%s", len(found), strings.Join(found, "\n"))
	}
	clean := tree(t, map[string]string{"README.md": "# Title\n\nA short sentence.\n"})
	if found, err := lint(clean); err != nil || len(found) > 0 {
		t.Errorf("a clean tree: %v, %v", found, err)
	}
}

// Every condemned phrase is found in a text that has it, and in no text that says it better.
func TestCondemned(t *testing.T) {
	bad := []string{"a table, of which little is known", "a file on which all depends",
		"a user is told", "users are told", "do what is said", "what is asked of a row",
		"a size is said to fit", "the footer is blamed", "the one and the other", "the former",
		"the data at hand", "that of then", "so that it is not read as text", "such a table",
		"a licence to be accepted", "hence a compiler", "rows that are held back",
		"needs 3 rows, and there are %d", "a confidence interval", "a confidence level",
		"a prediction band", "a forecast interval", "a bayesian interval", "the posterior interval",
		"the coverage probability", "a dataset shift", "the estimand", "a test vector",
		"the golden files", "the ground truth", "the true label", "the response variable",
		"the cross-entropy", "the negative log-likelihood", "predictive resampling",
		"the predictive density", "a test point", "the 90th percentile", "a pseudo-truth",
		"a model package"}
	found := map[string]bool{}
	for _, body := range bad {
		hits := habits(text{file: "a.go", line: 1, body: body})
		if len(hits) != 1 {
			t.Errorf("%q: %q", body, hits)
		}
		for _, c := range condemned {
			if c.phrase.MatchString(body) {
				found[c.phrase.String()] = true
			}
		}
	}
	for _, c := range condemned {
		if !found[c.phrase.String()] {
			t.Errorf("no text has %s", c.phrase)
		}
	}
	for _, body := range []string{"such as 3 rows", "there are %d rows", "a credible interval",
		"a predictive interval", "the coverage of labels", "who holds the file", "a probability",
		"the label", "drift of the data"} {
		if hits := habits(text{file: "a.go", line: 1, body: body}); len(hits) > 0 {
			t.Errorf("%q: %q", body, hits)
		}
	}
}
