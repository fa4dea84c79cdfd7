package tabular

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// textCells returns the cells of a table whose columns are all utf8.
func textCells(t *Table) [][]string {
	rows := [][]string{}
	for _, b := range t.Batches {
		for i := range b.Rows() {
			row := make([]string, b.Record.NumCols())
			for j := range row {
				row[j] = b.Record.Column(j).(*array.String).Value(i)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// tableLines returns the line of every row.
func tableLines(t *Table) []int64 {
	var lines []int64
	for _, b := range t.Batches {
		lines = append(lines, b.Lines...)
	}
	return lines
}

// format writes a table as one line: cells by |, rows by /.
func format(t *Table) string {
	rows := []string{strings.Join(t.Names(), "|")}
	for _, row := range textCells(t) {
		rows = append(rows, strings.Join(row, "|"))
	}
	return strings.Join(rows, "/")
}

func TestCSV(t *testing.T) {
	tests := []struct {
		name, text, want string
		lines            []int64
	}{
		{"lf", "a,b\n1,2\n3,4\n", "a|b/1|2/3|4", []int64{2, 3}},
		{"no final line end", "a,b\n1,2\n3,4", "a|b/1|2/3|4", []int64{2, 3}},
		{"crlf", "a,b\r\n1,2\r\n", "a|b/1|2", []int64{2}},
		{"cr", "a,b\r1,2\r3,4\r", "a|b/1|2/3|4", []int64{2, 3}},
		{"mixed", "a,b\r\n1,2\n3,4\r5,6\n", "a|b/1|2/3|4/5|6", []int64{2, 3, 4}},
		{"cr before the end", "a,b\n1,2\r", "a|b/1|2", []int64{2}},
		{"bom", "\ufeffa,b\n1,2\n", "a|b/1|2", []int64{2}},
		{"boms of joined files", "\ufeffa,b\n1,\"2\n\"\n\ufeff\"\ufeff3\",4\n\ufeff",
			"a|b/1|2\n/\ufeff3|4", []int64{2, 4}},
		{"header only", "a,b\n", "a|b", nil},
		{"empty cells", "a,b\n,\n,2\n", "a|b/|/|2", []int64{2, 3}},
		{"empty lines", "\n\na,b\n\n1,2\n\r\n\n3,4\n\n", "a|b/1|2/3|4", []int64{5, 8}},
		{"empty lines of one column", "a\n1\n\n3\n", "a/1//3", []int64{2, 3, 4}},
		{"empty last line of one column", "a\n1\n\n", "a/1/", []int64{2, 3}},
		{"quoted", "a,\"b c\"\n\"1,5\",\"x\"\n", "a|b c/1,5|x", []int64{2}},
		{"quoted empty", "a,b\n\"\",\"\"\n", "a|b/|", []int64{2}},
		{"doubled", "a,b\n\"5\"\" pipe\",\"\"\"\"\n", "a|b/5\" pipe|\"", []int64{2}},
		{"line breaks in a cell", "a,b\n\"1\n2\r\n3\r4\",x\n5,6\n",
			"a|b/1\n2\r\n3\r4|x/5|6", []int64{2, 6}},
		{"quoted at the end", "a,b\n1,\"2\"", "a|b/1|2", []int64{2}},
		{"spaces belong to the cell", "a, b\n 1 ,2 \n", "a| b/ 1 |2 ", []int64{2}},
		{"not ascii", "grün,日本\nä,\U0001f600\n", "grün|日本/ä|\U0001f600", []int64{2}},
		{"case", "a,A\n1,2\n", "a|A/1|2", []int64{2}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, rows := range []int{0, 1} {
				table := readText(t, test.text, ReadOptions{BatchRows: rows})
				if got := format(table); got != test.want {
					t.Errorf("got %q, want %q", got, test.want)
				}
				if got := tableLines(table); !slices.Equal(got, test.lines) {
					t.Errorf("lines %v, want %v", got, test.lines)
				}
				if got := strings.Join(table.Notes, "; "); strings.HasPrefix(got,
					"line 4 begins with a byte order mark") != strings.HasPrefix(test.name, "boms") {
					t.Errorf("notes %q", got)
				}
			}
		})
	}
}

func TestCSVErrors(t *testing.T) {
	long := strings.Repeat("x", ground.MaxCell+1)
	tests := []struct{ name, text, want string }{
		{"empty", "", "stdin: the file is empty"},
		{"empty lines only", "\n\r\n\n", "stdin: the file is empty"},
		{"bom only", "\ufeff", "stdin: the file is empty"},
		{"ragged short", "a,b\n1,2\n3\n", "stdin:3: the row has 1 cell, but the header has 2"},
		{"ragged long", "a,b\n1,2\n3,4,5\n", "stdin:3: the row has 3 cells, but the header has 2"},
		{"ragged after cells of many lines", "a,b\n\"1\n\n\",2\n3\n",
			"stdin:5: the row has 1 cell, but the header has 2"},
		{"spaces are no empty line", "a,b\n  \n1,2\n",
			"stdin:2: the row has 1 cell, but the header has 2"},
		{"open quote", "a,b\n1,2\n3,\"4\n5,6\n7,8\n",
			"stdin:3: the opening quote has no closing quote"},
		{"open quote behind line breaks", "a,b\n\"1\n2\",\"4\n5,6\n",
			"stdin:3: the opening quote has no closing quote"},
		{"text after a quote", "a,b\n\"1\"2,3\n", "stdin:2: there is text after a closing quote"},
		{"bare quote", "a,b\n1,5\" pipe\n",
			"stdin:2: an unquoted cell contains a quote"},
		{"space before a quote", "a,b\n1, \"2\"\n",
			"stdin:2: an unquoted cell contains a quote"},
		{"invalid utf-8", "a,b\n1,2\n3,\xff\n",
			"stdin:3: the text is not valid UTF-8 (byte offset 10)"},
		{"invalid utf-8 after a bom", "\ufeffa,b\n1,2\n3,\xff\n",
			"stdin:3: the text is not valid UTF-8 (byte offset 13)"},
		{"invalid utf-8 in a quoted cell", "a,b\n1,\"2\n\n\xe4\"\n",
			"stdin:4: the text is not valid UTF-8 (byte offset 10)"},
		{"utf-8 cut short", "a,b\n1,\xe2\x82",
			"stdin:2: the text is not valid UTF-8 (byte offset 6)"},
		{"nul", "a,b\n1,\x00\n", "stdin:2: the text has a NUL byte (byte offset 6)"},
		{"same names", "a,b,a,c,b\n1,2,3,4,5\n",
			`stdin:1: some column names occur more than once: "a", "b"`},
		{"no name", "a,,c, \n1,2,3,4\n", "stdin:1: some column names are empty, at position 2, 4"},
		{"long cell", "a,b\n1," + long + "\n", "stdin:2: a cell is longer than 1048576 bytes"},
		{"long quoted cell", "a,b\n1,\"" + long, "stdin:2: a cell is longer than 1048576 bytes"},
		{"many columns", strings.Repeat("a,", ground.MaxColumns+1) + "\n",
			fmt.Sprintf("stdin:1: the row has more than %d cells", ground.MaxColumns)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := readFrom(strings.NewReader(test.text), "stdin", ReadOptions{Delimiter: ','})
			checkError(t, err, test.want)
		})
	}
}

func checkError(t *testing.T, err error, want string) {
	t.Helper()
	if _, ok := errors.AsType[*Error](err); !ok {
		t.Fatalf("got %v, want an *Error: %s", err, want)
	}
	if got := err.Error(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestCSVReads checks that records do not depend on how the input comes, one byte at a time.
func TestCSVReads(t *testing.T) {
	text := "\ufeffa,b\r\n\"1\r\n\"\"\",ü\r\n\U0001f600,\"\"\r3,4"
	want := format(readText(t, text, ReadOptions{}))
	table, err := readFrom(iotest.OneByteReader(strings.NewReader(text)), "stdin", ReadOptions{})
	must.Succeed(t, err)
	if got := format(table); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	broken := iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader(text)))
	_, err = ReadAll(t.Context(), "-", ReadOptions{Stdin: broken})
	if !errors.Is(err, iotest.ErrTimeout) {
		t.Errorf("got %v, want a timeout", err)
	}
	_, err = ReadAll(t.Context(), "-", ReadOptions{Stdin: stuck{}})
	if !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("got %v, want no progress", err)
	}
}

// stuck is a reader that never returns anything.
type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

// TestCSVBoundaries moves a record with every feature over the end of the read buffer.
func TestCSVBoundaries(t *testing.T) {
	record := "\"x\"\"\r\ny\",\u20ac\r\n"
	for shift := range 24 {
		pad := strings.Repeat("p", ground.ReadSize-shift-8)
		text := "a,b\r\n" + pad + ",1\r\n" + record + "3,4\r\n"
		table := readText(t, text, ReadOptions{Delimiter: ','})
		want := "a|b/" + pad + "|1/x\"\r\ny|\u20ac/3|4"
		if got := format(table); got != want {
			t.Fatalf("shift %d: got ...%q", shift, got[len(pad):])
		}
		if got := tableLines(table); !slices.Equal(got, []int64{2, 3, 5}) {
			t.Fatalf("shift %d: lines %v", shift, got)
		}
	}
}

// TestCSVBatches checks where batches are cut and how their rows are numbered.
func TestCSVBatches(t *testing.T) {
	var text strings.Builder
	text.WriteString("i\n")
	for i := range 10 {
		fmt.Fprintf(&text, "%d\n", i)
	}
	table := readText(t, text.String(), ReadOptions{BatchRows: 4})
	var first []int64
	for _, b := range table.Batches {
		first = append(first, b.First)
	}
	if !slices.Equal(first, []int64{0, 4, 8}) || table.Rows != 10 {
		t.Errorf("batches begin at %v of %d rows", first, table.Rows)
	}
	wide := "a,b\n" + strings.Repeat(strings.Repeat("x", 1<<20)+",y\n", 40)
	table = readText(t, wide, ReadOptions{})
	if len(table.Batches) < 2 || table.Rows != 40 {
		t.Errorf("%d batches of %d long rows", len(table.Batches), table.Rows)
	}
}

// readFrom reads a table of this name from an input.
func readFrom(in io.Reader, name string, opt ReadOptions) (*Table, error) {
	r, err := OpenReader(in, name, opt)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.ReadAll(context.Background())
}

func readText(t testing.TB, text string, opt ReadOptions) *Table {
	t.Helper()
	table, err := readFrom(strings.NewReader(text), "stdin", opt)
	must.Succeed(t, err)
	return table
}

// Comments and delimiters at the ends of rows are named in the hint.
func TestHintsOfRaggedRows(t *testing.T) {
	for text, hint := range map[string]string{
		"# a\n# b\nx,y\n1,2\n": "which row has the names of columns: ReadOptions.HeaderRow 3",
		"x,y\n1,2\n# end\n":    "remove lines of comments",
		"x,y\n1,2\nThe end\n":  "if the line is a remark, remove it; otherwise write a delimiter",
		"x,y\n1,2,\n":          "the row ends with a delimiter",
		"x,y\n1,2,3\n":         "in double quotes",
		"x,y\n1\n":             "a delimiter for every cell",
		"x,y,\n1,2,\n":         "if lines end with a delimiter, remove it",
		"Sales\n\nx,y\n1,2\n":  "which row has the names of columns: ReadOptions.HeaderRow 3",
	} {
		_, err := readFrom(strings.NewReader(text), "t.csv", ReadOptions{Delimiter: ','})
		if e, ok := err.(*Error); !ok || !strings.Contains(e.Hint, hint) {
			t.Errorf("%q: %+v", text, err)
		}
	}
}
