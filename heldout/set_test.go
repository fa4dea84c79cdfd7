package heldout

import "testing"

// The score of a class is the probability of those that are more probable.
func TestStrangeness(t *testing.T) {
	p := []float64{0.25, 0.25, 0.5, 0}
	for class, want := range []float64{0.5, 0.5, 0, 1} {
		if got := strangeness(p, class); got != want {
			t.Errorf("class %d: %v, want %v", class, got, want)
		}
	}
}

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
