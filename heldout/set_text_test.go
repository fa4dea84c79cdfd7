package heldout

import "testing"

// Joined labels can be told apart again, whatever they hold.
func TestSetText(t *testing.T) {
	for want, labels := range map[string][]string{
		"no": {"no"}, "no|yes": {"no", "yes"}, `no\|yes`: {"no|yes"}, `a\||b`: {"a|", "b"},
		`a|\|b`: {"a", "|b"}, `a\\|b`: {`a\`, "b"}, `a\\\|b`: {`a\|b`},
	} {
		if got := SetText(labels); got != want {
			t.Errorf("%q is written as %s instead of %s", labels, got, want)
		}
	}
}
