package tabular

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular/internal/ground"
	jsonreader "github.com/pfnamp/pfnamp/tabular/internal/jsonl"
)

// jsonCells lists the columns of JSON lines, null as "-".
func jsonCells(t *testing.T, table *Table) string {
	t.Helper()
	var s strings.Builder
	for i, name := range table.Names() {
		s.WriteString(name + ":")
		for _, b := range table.Batches {
			for row := range b.Rows() {
				cell := "-"
				if c := b.Record.Column(i); !c.IsNull(row) {
					cell = c.ValueStr(row)
				}
				s.WriteString(" " + cell)
			}
		}
		s.WriteString("\n")
	}
	return s.String()
}

// Objects on lines are rows: their keys are columns, in the order in which they come first.
func TestJSONLines(t *testing.T) {
	const text = "\xef\xbb\xbf{\"a\": 1, \"b\": \"x,\\\"y\\\"\\n\", \"c\": true}\r\n\n" +
		` {"c":false, "d":1.50e-3, "a":12345678901234567890}` + "\n\ufeff" +
		`{"b":null,"e":"\u00e9\ud83d\ude00"}`
	want := "a: 1 12345678901234567890 -\nb: x,\"y\"\n - -\nc: true false -\nd: - 1.50e-3 " +
		"-\ne: - - é😀\n"
	for name, data := range map[string]string{"t.jsonl": text, "t.ndjson": text, "t": text,
		"t.jsonl.gz": packGzip(t, strings.NewReader(text))} {
		for _, rows := range []int{0, 1} {
			r, err := OpenReader(strings.NewReader(data), name, ReadOptions{BatchRows: rows})
			must.Succeed(t, err)
			table, err := r.ReadAll(context.Background())
			if err != nil || jsonCells(t, table) != want || r.Format() != JSONLines {
				t.Errorf("%s: %v\n%s", name, err, jsonCells(t, table))
			}
			if lines := table.Batches[len(table.Batches)-1].Lines; lines[len(lines)-1] != 4 {
				t.Errorf("%s: lines %v", name, lines)
			}
		}
	}
}

func TestJSONLinesErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "t.jsonl: the file is empty",
		"\n \n":                    "t.jsonl: the file is empty",
		"{}\n":                     "t.jsonl: the table has no columns",
		"{\"a\":1}\n[1]\n":         "t.jsonl:2: the line is a list, not an object",
		"3\n":                      "t.jsonl:1: the line is a number, not an object",
		"{\"a\":1}\n{\"a\":[1]}\n": `t.jsonl:2: column "a": the value is a list`,
		"{\"a\":{\"b\":1}}\n":      `t.jsonl:1: column "a": the value is an object`,
		"{\"a\":1,\"a\":2}\n":      `t.jsonl:1: column "a": the key occurs twice in the object`,
		"{\"a\":1,\"a\":null}\n":   `t.jsonl:1: column "a": the key occurs twice in the object`,
		"{\"a\":1} {\"a\":2}\n":    "t.jsonl:1: there is text after the object",
		"{\n\"a\":1}\n":            "t.jsonl:1: the line is not valid JSON: the object has no end",
		"{\"a\":\n":                "t.jsonl:1: the line is not valid JSON: the object has no end",
		"{\"\":1}\n":               "t.jsonl: some column names are empty, at position 1",
		"{\"a\":\"\xff\"}\n":       "t.jsonl:1: the text is not valid UTF-8 (byte 7 of the line)",
		"{\"a\":\"\\ud800x\"}\n":   `t.jsonl:1: column "a": the value has half of a surrogate pair (\ud800 to \udfff)`,
		"{\"a\":01}\n":             "t.jsonl:1: the line is not valid JSON: ",
		"{\"a\":NaN}\n":            "t.jsonl:1: the line is not valid JSON: byte 6 is unexpected",
		"{\"a\":1,}\n":             "t.jsonl:1: the line is not valid JSON: ",
		"{\"a\":\"" + strings.Repeat("x", ground.MaxCell+1) +
			"\"}\n": `t.jsonl:1: column "a": a cell is longer than`,
	} {
		_, err := readFrom(strings.NewReader(text), "t.jsonl", ReadOptions{})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
		if bad := checkWords(err); bad != nil {
			t.Errorf("%.40q: %v", text, bad)
		}
	}
	// The error about a late key names its line. The first KeyRows rows may have new keys.
	late := strings.Repeat("{\"a\":1}\n", jsonreader.KeyRows) + "{\"a\":1,\"b\":2}\n"
	_, err := readFrom(strings.NewReader(late), "t.jsonl", ReadOptions{})
	checkError(t, err,
		fmt.Sprintf(`t.jsonl:%d: column "b": the key is not among those of the first rows`, jsonreader.KeyRows+1))
	for _, number := range []string{"NaN", "-Infinity"} {
		_, err = readFrom(strings.NewReader("{\"a\":"+number+"}\n"), "t.jsonl", ReadOptions{})
		if e, ok := err.(*Error); !ok || !strings.Contains(e.Hint, "write null for a missing value") {
			t.Errorf("%s: %v has no remedy", number, err)
		}
	}
	table, err := readFrom(strings.NewReader(late[8:]), "t.jsonl", ReadOptions{})
	if err != nil || len(table.Names()) != 2 {
		t.Errorf("%v", err)
	}
}

// Many keys and many short rows are refused before they take memory.
func TestJSONLinesBomb(t *testing.T) {
	var keys strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&keys, ",\"k%d\":1", i)
	}
	text := "{" + keys.String()[1:] + "}\n" + strings.Repeat("{}\n", 100_000)
	if _, err := OpenReader(strings.NewReader(text), "t.jsonl", ReadOptions{}); err != nil {
		t.Fatal(err)
	}
	_, err := readFrom(strings.NewReader(text), "t.jsonl", ReadOptions{MaxBytes: 64 << 20})
	if e, ok := err.(*Error); !ok || !e.Limit {
		t.Errorf("%v", err)
	}
}

func FuzzJSONLines(f *testing.F) {
	for _, seed := range []string{"{\"a\":1,\"b\":\"x\"}\n{\"b\":null}\n", "\n{\"a\":true}", "[1]",
		"{\"a\":{}}",
		"{\"a\":\"\\ud83d\\ude00\\u0000\"}\r\n", "\xef\xbb\xbf{\"\":-1.5e300}", "{\"a\":1}{"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if bad := checkWords(readBytes(data, "fuzz", JSONLines)); bad != nil {
			t.Error(bad)
		}
	})
}
