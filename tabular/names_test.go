package tabular

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pfnamp/pfnamp/tabular/internal/parquetguard"
)

func TestNearest(t *testing.T) {
	names := []string{"age", "Age", "bmi", "progression", "weight", " target", "w"}
	for name, want := range map[string][]string{
		"age":          {"age", "Age"},
		"AGE":          {"age", "Age"},
		"progresion":   {"progression"},
		"Progresssion": {"progression"},
		"target":       {" target"},
		"zzz":          nil,
		"wieght":       {"weight"},
		"x":            nil,
	} {
		if got := nearest(name, names); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// TestEditDistance checks known distances and the laws of a metric.
func TestEditDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"größe", "grosse", 3}} {
		if got := editDistance(test.a, test.b); got != test.want {
			t.Errorf("%s %s: got %d, want %d", test.a, test.b, got, test.want)
		}
	}
	text := rapid.StringOfN(rapid.RuneFrom([]rune("abé")), 0, 6, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := text.Draw(t, "a"), text.Draw(t, "b"), text.Draw(t, "c")
		ab, ba := editDistance(a, b), editDistance(b, a)
		if ab != ba || (ab == 0) != (a == b) || ab > editDistance(a, c)+editDistance(c, b) {
			t.Fatalf("%q %q %q: %d %d", a, b, c, ab, ba)
		}
	})
}

func TestQuoted(t *testing.T) {
	if got := quote(strings.Repeat("é", 61)); got != `"`+strings.Repeat("é", 60)+`"...` {
		t.Errorf("got %s", got)
	}
	names := []string{"a", "b\n", "c", "d", "e", "f", "g"}
	if got := listed(names); got != `"a", "b\n", "c", "d", "e", and 2 more` {
		t.Errorf("got %s", got)
	}
}

// TestLimitsAgree checks that all formats may have as many columns.
func TestLimitsAgree(t *testing.T) {
	if parquetguard.MaxColumns != maxColumns {
		t.Errorf("%d columns of a Parquet file, %d of others", parquetguard.MaxColumns, maxColumns)
	}
}
