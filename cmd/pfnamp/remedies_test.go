package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/flags"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular"
)

// TestTableHints reads tables that are refused: messages name flags that exist.
func TestTableHints(t *testing.T) {
	y := tabular.SchemaOptions{Target: "y"}
	labels := tabular.SchemaOptions{Target: "y", Labels: true}
	for _, c := range []struct {
		name, text string
		opt        tabular.SchemaOptions
		want       string
	}{
		{"t.csv", "PAR1\x15\x04\x15\x00", y, "add --from parquet"},
		{"t.csv", "a,b;y\n1,2;3\n", y, "choose one with --delimiter ',' or --delimiter ';'"},
		{"t.csv", "a\n1;2\n3;4\n", y,
			"choose one with --delimiter ';', or quote cells that contain it; if there are titles above " +
				"the table, give the line with the column names: --header-row 3 for the third"},
		{"t.csv", "a,y\n1,2\nx,3\n", tabular.SchemaOptions{Target: "y", Numeric: []string{"a"}},
			"drop --numeric for this column, or list missing values with --na"},
		{"t.ssv", "a;y\n1,234;1\n2;2\n", y, "set the decimal sign with --decimal; or take the " +
			"column as text with --categorical a"},
		{"t.csv", "a,y\n\xe9,1\n", y,
			"save the file as UTF-8; or, if an older program wrote it, add --encoding windows-1252, " +
				"windows-1250 for Central Europe, windows-1251 for Cyrillic, gbk or shift_jis"},
		{"t.csv", "a,y\n1,low\n", y, "write a finite number in every row; for classes, add --task " +
			"classification; or write two classes as 0 and 1 and ask for p>0.5"},
		{"t.csv", "a,y\n1,0.5\n", labels, "to predict numbers, add --task regression; to read the " +
			"numbers as labels, add --categorical y"},
		{"t.csv", "a,y\n1,x\n", tabular.SchemaOptions{Target: "y", Labels: true,
			Numeric: []string{"y"}}, "drop --numeric for this column, or write numbers"},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		must.Succeed(t, os.WriteFile(path, []byte(c.text), 0o666))
		table, err := tabular.ReadAll(t.Context(), path, tabular.ReadOptions{})
		if err == nil {
			_, err = tabular.Learn(table, c.opt)
		}
		err = flags.Worded(err, "predict", false)
		if got := fault.Classify(t.Context(), err); err == nil || got.Hint != c.want {
			t.Errorf("%q: error %v, hint %q, want %q", c.text, err, got.Hint, c.want)
		}
	}
}

// TestOptionFlags checks that every option has a flag, and that hints name no flag that a command
// lacks.
func TestOptionFlags(t *testing.T) {
	words := flags.WordsOf("predict", false)
	for _, o := range []tabular.Option{tabular.OptionFormat, tabular.OptionDelimiter, tabular.OptionNA,
		tabular.OptionDecimal, tabular.OptionEncoding, tabular.OptionMaxBytes, tabular.OptionSheet,
		tabular.OptionHeaderRow, tabular.OptionRequireEOS, tabular.OptionIgnore,
		tabular.OptionCategorical, tabular.OptionNumeric, tabular.OptionDates,
		tabular.OptionKeepFeature, tabular.OptionGroup, tabular.OptionRepeated,
		tabular.OptionAllowNew, tabular.OptionStrict} {
		if words.Option(o) == "" {
			t.Errorf("%s has no flag", o)
		}
	}
	e := new(tabular.Error).Advise("set %s; or take it as text with %s %s", tabular.OptionDates,
		tabular.OptionCategorical, "a")
	for command, want := range map[string]string{"forecast": "set --dates",
		"fit": "set --dates; or take it as text with --categorical a"} {
		if got := e.HintWith(flags.WordsOf(command, false)); got != want {
			t.Errorf("%s has the hint %q, want %q", command, got, want)
		}
	}
	if got := flags.WordsOf("check", true).Option(tabular.OptionSheet); got != "--test-sheet" {
		t.Errorf("the sheet of TEST is set by %s", got)
	}
}

// TestPipeHint checks the advice on a file that is read from both ends.
func TestPipeHint(t *testing.T) {
	pipe, in, err := os.Pipe()
	must.Succeed(t, err)
	defer pipe.Close()
	_, err = in.WriteString("PAR1\x15\x04\x15\x00")
	must.Succeed(t, err)
	in.Close()
	_, err = tabular.Open("-", tabular.ReadOptions{Stdin: pipe})
	var e *tabular.Error
	const want = "give the name of a file, or send an Arrow stream with --from arrows"
	if !errors.As(flags.Worded(err, "predict", false), &e) || e.Hint != want {
		t.Errorf("error %v", err)
	}
}

// Names in hints can be pasted into a shell, and are read back as the same list.
func TestListedNames(t *testing.T) {
	for name, want := range map[string]string{
		"age": "age", "x y": "'x y'", "it's": `'it'\''s'`, "a,b": `'"a,b"'`, `5" disk`: `'"5"" disk"'`,
		"Größe": "Größe", "$HOME": "'$HOME'", "": "''",
	} {
		if got := fault.Listed(name); got != want {
			t.Errorf("%q is listed as %s, want %s", name, got, want)
		}
	}
	path := filepath.Join(t.TempDir(), "t.ssv")
	must.Succeed(t, os.WriteFile(path, []byte("\"a, \"\"b\"\"\";y\n1,234;1\n2;2\n"), 0o666))
	ends(t, "predict "+path+" "+path+" -y y", fault.ExitInput, `--categorical '"a, ""b"""'`)
}
