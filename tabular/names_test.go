package tabular

import (
	"strings"
	"testing"
)

func TestQuoted(t *testing.T) {
	if got := quote(strings.Repeat("é", 61)); got != `"`+strings.Repeat("é", 60)+`"...` {
		t.Errorf("got %s", got)
	}
	names := []string{"a", "b\n", "c", "d", "e", "f", "g"}
	if got := listed(names); got != `"a", "b\n", "c", "d", "e", and 2 more` {
		t.Errorf("got %s", got)
	}
}

func TestNoColumn(t *testing.T) {
	e := NoColumn("t.csv", "caf\u00e9", []string{"a", "cafe\u0301"})
	if want := `it has "cafe\u0301", but you asked for "caf\u00e9"`; !strings.HasSuffix(e.Msg, want) {
		t.Errorf("%s, want the end %s", e.Msg, want)
	}
	e = NoColumn("t.csv", "y", []string{"x,z,y"})
	if want := `the only column is "x,z,y": if the cells`; !strings.HasPrefix(e.Hint,
		want) {
		t.Errorf("hint %s, want the beginning %s", e.Hint, want)
	}
	e = NoColumn("t.csv", "y", []string{"x", "z,y"})
	if !strings.Contains(e.Hint, "quote a name") {
		t.Errorf("hint %s does not speak of quotes", e.Hint)
	}
}

func TestBaseName(t *testing.T) {
	for path, want := range map[string]string{
		"a/fish.csv": "fish", "a.1.csv": "a.1", "t.CSV.gz": "t", "t.parquet": "t", "2024.01": "2024.01",
		"\u0130.csv.zst": "\u0130", "-": "-", "x.y/no": "no",
	} {
		if got := BaseName(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
