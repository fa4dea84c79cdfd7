package nearest

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
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
		"prog":         {"progression"},
		"x":            nil,
	} {
		if got := Names(name, names); !slices.Equal(got, want) {
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
