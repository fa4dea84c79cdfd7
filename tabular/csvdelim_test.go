package tabular

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

// writeFile writes a file into a folder of the test and returns its path.
func writeFile(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.Succeed(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestDelimiter(t *testing.T) {
	many := strings.Repeat("1;2\n", 1000)
	tests := []struct {
		name, file, text string
		asked            rune
		want             string // names of the columns, or the error
		hint             string
	}{
		{"comma", "x.csv", "a,b\n1,2\n", 0, "a|b", ""},
		{"semicolon", "x.csv", "a;b\n1;2\n", 0, "a|b", ""},
		{"tab", "x.csv", "a\tb\n1\t2\n", 0, "a|b", ""},
		{"bar", "x.txt", "a|b\n1|2\n", 0, "a|b", ""},
		{"decimal commas", "x.csv", "a;b\n1,5;2,5\n", 0, "a|b", ""},
		{"comma in a name", "x.csv", "a, in mm;b\n1,5;2,5\n", 0, "a, in mm|b", ""},
		{"header only", "x.csv", "a;b\n", 0, "a|b", ""},
		{"one column", "x.csv", "a\n1\n2\n", 0, "a", ""},
		{"one column of text", "x.csv", "a\nx, y\nz\n", 0,
			"F:2: the row has 2 cells, but the header has 1", ""},
		{"quoted", "x.csv", "\"a;b\",c\n\"1;2\",3\n", 0, "a;b|c", ""},
		{"long file", "x.csv", "a;b\n" + strings.Repeat(many, 200), 0, "a|b", ""},
		{"ragged", "x.csv", "a,b\n1,2,3\n", 0,
			"F:2: the row has 3 cells, but the header has 2", ""},
		{"tsv", "x.tsv", "a\tb,c\n1\t2,3\n", 0, "a|b,c", ""},
		{"tab file", "x.TAB", "a\tb\n1\t2\n", 0, "a|b", ""},
		{"ssv", "x.ssv", "a;b,c\n1;2,3\n", 0, "a|b,c", ""},
		{"asked", "x.tsv", "a:b\n1:2\n", ':', "a|b", ""},
		{"asked one column", "x.csv", "a,b\n1,2\n", '|', "a,b", ""},
		{"ambiguous", "x.csv", "a,b;c\n1,2;3\n", 0,
			"F:1: more than one delimiter fits the file: " +
				"a comma (2 columns) or a semicolon (2 columns)",
			"choose one with ReadOptions.Delimiter ',' or ReadOptions.Delimiter ';'"},
		{"header of one column", "x.csv", "a\n1;2\n3;4\n", 0,
			"F:1: the header has one column, but the rows have more: a semicolon (2 columns)",
			"choose one with ReadOptions.Delimiter ';', or quote cells that contain it; if there are " +
				"titles above the table, give the line with the column names: " +
				"ReadOptions.HeaderRow 3 for the third"},
		{"one column of names", "x.csv", "name\nSmith, J.\nDoe, M.\n", 0,
			"F:1: the header has one column, but the rows have more: a comma (2 columns)",
			"choose one with ReadOptions.Delimiter ',', or quote cells that contain it; if there are " +
				"titles above the table, give the line with the column names: " +
				"ReadOptions.HeaderRow 3 for the third"},
		{"extension is wrong", "x.tsv", "a,b\n1,2\n", 0,
			"F:1: the extension implies a tab, but with it the header has one column: a comma (2 columns)",
			"choose one with ReadOptions.Delimiter ','"},
		{"not ascii", "x.csv", "a,b\n1,2\n", '§', "F: '§' cannot be a delimiter",
			"use one ASCII character, such as , ; | or a tab"},
		{"quote", "x.csv", "a,b\n1,2\n", '"', "F: '\"' cannot be a delimiter",
			"use one ASCII character, such as , ; | or a tab"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := writeFile(t, test.file, test.text)
			table, err := ReadAll(t.Context(), path, ReadOptions{Delimiter: test.asked})
			if strings.HasPrefix(test.want, "F:") {
				checkError(t, err, path+test.want[1:])
				if e, ok := err.(*Error); ok && test.hint != "" && e.Hint != test.hint {
					t.Errorf("hint %q, want %q", e.Hint, test.hint)
				}
				return
			}
			must.Succeed(t, err)
			if got := strings.Join(table.Names(), "|"); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
