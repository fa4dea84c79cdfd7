package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// hostile is a text with an escape sequence, a mark that turns the direction of what follows, a
// carriage return, and an HTML element that is a picture in Markdown too.
const hostile = "a\x1b[31m\u202eb\rc<img src=x>![d](e)`"

// TestOutputObeysNoData gives hostile texts as cells, names of columns and of files, flags and
// commands: nothing that is printed holds anything but text.
func TestOutputObeysNoData(t *testing.T) {
	withoutRace(t)
	library := orttest.Library(t)
	t.Chdir(t.TempDir())
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	t.Setenv("PFNAMP_ORT_LIB", library)
	var table strings.Builder
	table.WriteString("x,\"" + hostile + "\",y\n")
	for i := range 24 {
		fmt.Fprintf(&table, "%d,\"%s\",%d\n", i%3, hostile, i%2)
	}
	file := hostile + ".csv"
	must.Succeed(t, os.WriteFile(file, []byte(table.String()), 0o600))
	must.Succeed(t, os.MkdirAll(hostile, 0o700))
	for _, args := range [][]string{
		{"predict", file, file, "-y", "y", "-o", "out.csv", "--keep", hostile},
		{"predict", file, file, "-y", hostile},
		{"predict", file, file, "-y", hostile, "--json"},
		{"predict", file, file, "-y", "y", "--group-by", hostile, "--contrast", "a - nope",
			"--summary", "s.csv", "-o", "out.csv"},
		{"predict", file, "no" + file, "-y", "y"},
		{"predict", file, file, "-y", "y", "-o", "no/" + file},
		{"predict", file, file, "-y", "y", "-f", hostile},
		{"predict", file, file, "-y", "y", "--model", hostile},
		{"predict", file, file, "-y", "y", "--" + hostile},
		{"fit", file, "-y", "y", "-o", hostile + ".state"},
		{"evaluate", file, "-y", "y", "--splits", "1", "--bootstrap", "0", "--chains", "50",
			"-f", "q0.5", "-o", "out"},
		{"models", "show", hostile}, {"models", "verify", hostile}, {"models", "import", hostile},
		{"models", hostile}, {"completion", hostile}, {hostile},
	} {
		var out, errs bytes.Buffer
		program(context.Background(), stdio.Streams{In: strings.NewReader(""), Out: &out, Err: &errs},
			append([]string{"pfnamp"}, args...))
		checkPlain(t, strings.Join(args, " ")+": output", out.String())
		checkPlain(t, strings.Join(args, " ")+": messages", errs.String())
		must.Hold(t, args, out.String()+errs.String(), `a\`)
	}
	for _, name := range []string{"report.html", "tables.md", "reliability.svg", "trade.svg"} {
		page, err := os.ReadFile(filepath.Join("out", name))
		must.Succeed(t, err)
		checkPlain(t, name, string(page))
		for _, bad := range []string{"<img", "![d]"} {
			if strings.Contains(string(page), bad) && !(name == "report.html" && bad == "![d]") {
				t.Errorf("%s holds %s", name, bad)
			}
		}
	}
}

// checkPlain looks for what is no text.
func checkPlain(t *testing.T, what, text string) {
	t.Helper()
	for _, r := range text {
		if !unicode.IsGraphic(r) && r != '\n' && r != '\t' {
			t.Errorf("%q holds %U:\n%q", what, r, text)
			return
		}
	}
}
