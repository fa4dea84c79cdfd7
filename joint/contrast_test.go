package joint

import (
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

func TestParseContrast(t *testing.T) {
	for text, want := range map[string][2]RowSet{
		"row 3 - row 17":        {{Row: 3}, {Row: 17}},
		" all  -  row 1 ":       {{All: true}, {Row: 1}},
		"north-east - south":    {{Group: "north-east"}, {Group: "south"}},
		`"a - b" - "say ""x"""`: {{Group: "a - b"}, {Group: `say "x"`}},
		`"all" - "row 1"`:       {{Group: "all"}, {Group: "row 1"}},
		"3 - 4":                 {{Group: "3"}, {Group: "4"}},
	} {
		got, err := ParseContrast(text, true)
		if err != nil || got.Plus != want[0] || got.Minus != want[1] {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "row 1", "a - b - c", " - ", "row 0 - row 1", "3 - 4", "x - y"} {
		if got, err := ParseContrast(text, false); err == nil {
			t.Errorf("%q was read as %+v", text, got)
		}
	}
}

// The error about a minus without spaces suggests the contrast with spaces. If several minus signs
// could be meant, it has examples.
func TestContrastWithoutSpaces(t *testing.T) {
	for text, want := range map[string]string{
		"male-female": "'male - female'", "row 1 -row 2": "'row 1 - row 2'",
		"north-east-south": "'row 3 - row 7'", "-a": "'row 3 - row 7'", "a": "'row 3 - row 7'",
	} {
		_, err := ParseContrast(text, true)
		must.Fail(t, text, err, want)
	}
}
