package heldout

import (
	"slices"
	"testing"
)

// Joined labels can be told apart again, whatever they hold.
func TestSetText(t *testing.T) {
	seen := map[string]bool{}
	for _, labels := range [][]string{
		{"no"}, {"no", "yes"}, {"no|yes"}, {"a|", "b"}, {"a", "|b"}, {`a\`, "b"}, {`a\|b`}, {`a\\`, `\`},
		{"ä", "|"},
	} {
		text := SetText(labels)
		if got := SetLabels(text); !slices.Equal(got, labels) || seen[text] {
			t.Errorf("%q is written as %s and read as %q", labels, text, got)
		}
		seen[text] = true
	}
	if got := SetText([]string{"no", "yes"}); got != "no|yes" {
		t.Error(got)
	}
}
